export const fleet = {
  'fleet.sortByReady': 'Sort by ready replicas in {cluster}',
} as const
