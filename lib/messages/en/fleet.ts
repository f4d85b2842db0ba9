export const fleet = {
  'fleet.sortByReady': 'Sort by ready replicas in {cluster}',
  'fleet.cell': '{workload} in {cluster}: {counts}{role, select, evicting {, evicting} leaving {, being removed} other {}}. {state}',
  'fleet.cellWithoutReplicas':
    '{workload} in {cluster}: {role, select, evicting {evicting} leaving {being removed} other {scheduled}}. {state}',
  'fleet.cellEmpty': '{workload} in {cluster}: not scheduled',
  'fleet.byState': 'Workloads by state',
} as const
