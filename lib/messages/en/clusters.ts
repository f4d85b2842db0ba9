export const clusters = {
  'clusters.byState': 'Clusters by state',
  'clusters.state.ready': 'Ready',
  'clusters.state.notReady': 'Not ready',
  'clusters.state.unreachable': 'Unreachable',
  'clusters.state.notReported': 'Not reported',
  'clusters.state.removing': 'Being removed',
} as const
