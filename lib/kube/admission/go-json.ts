/** Fields in the order in which Karmada's own types declare them: refusals quote offending values as they print. */
const ORDER = [
  'clusterAffinity',
  'clusterAffinities',
  'clusterTolerations',
  'spreadConstraints',
  'replicaScheduling',
  'workloadAffinity',
  'affinityName',
  'labelSelector',
  'fieldSelector',
  'clusterNames',
  'exclude',
  'overflowAffinities',
  'matchLabels',
  'matchExpressions',
  'key',
  'operator',
  'values',
  'value',
  'effect',
  'tolerationSeconds',
  'spreadByField',
  'spreadByLabel',
  'maxGroups',
  'minGroups',
  'replicaSchedulingType',
  'replicaDivisionPreference',
  'weightPreference',
  'staticWeightList',
  'dynamicWeight',
  'targetCluster',
  'weight',
  'affinity',
  'antiAffinity',
  'groupByLabelKey',
  'dispatching',
  'dispatchingOnClusters',
]
const ranks = new Map(ORDER.map((name, index) => [name, index]))

/** The value with its fields in that order; other fields follow by name. */
export function inDeclaredOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDeclaredOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, child]) => [name, inDeclaredOrder(child)]))
}

function rankOf(name: string): number {
  return ranks.get(name) ?? ORDER.length
}
