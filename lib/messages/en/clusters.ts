export const clusters = {
  'clusters.state.ready': 'Ready',
  'clusters.state.notReady': 'Not ready',
  'clusters.state.removing': 'Being removed',
  'clusters.state.readyWithoutNodes': 'Ready, no nodes',
  'clusters.state.neverReported': 'No status reported yet',
  'clusters.state.notReadyBecause': 'Not ready: {why}',
  'clusters.state.unknown': 'Readiness unknown',
  'clusters.state.unknownBecause': 'Readiness unknown: {why}',
  'clusters.state.evicts': 'Has NoExecute taints: {taints}',
  'clusters.state.closed': 'No new workloads: {taints}',
  'clusters.state.nodesNotReady': '{n, number} of {total, plural, one {# node} other {# nodes}} not ready',
  'clusters.empty': 'No clusters yet',
  'clusters.emptyMeaning':
    'On your own control plane, member clusters appear here after <join></join>. On the embedded control plane, a Cluster object with a number of nodes is a simulated member:',
  'clusters.addCommand': 'the command',
} as const
