/** Contribution of one binding to the totals of each cluster. */
import type { ReplicaCounts } from '../model'
import { type AnyBinding, hasReplicas } from './binding-facts'
import { desiredByCluster } from './cells'
import { countReplicas } from './replica-counts'

/** Totals in one cluster: scheduled workloads, and replicas counted as if the cluster responded. */
export type LoadInCluster = { workloads: number } & Required<ReplicaCounts>

export const LOAD_FIELDS = [
  'workloads',
  'desired',
  'current',
  'ready',
  'unknown',
  'old',
  'oldReady',
  'oldUnknown',
] as const satisfies readonly (keyof LoadInCluster)[]

export const emptyLoad = (): LoadInCluster => ({
  workloads: 0,
  desired: 0,
  current: 0,
  ready: 0,
  unknown: 0,
  old: 0,
  oldReady: 0,
  oldUnknown: 0,
})

/**
 * Returns contributions by cluster: where the binding is placed, and where its replicas are reported; counted as in its
 * cells.
 */
export function loadsOf(binding: AnyBinding): Map<string, LoadInCluster> {
  const { spec, status } = binding
  const loads = new Map<string, LoadInCluster>()
  for (const { name } of spec.clusters ?? []) loads.set(name, Object.assign(emptyLoad(), { workloads: 1 }))
  if (!hasReplicas(binding)) return loads
  const desired = desiredByCluster(binding)
  const reports = new Map((status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item]))
  for (const cluster of new Set([...desired.keys(), ...reports.keys()])) {
    const facts = { resource: spec.resource, report: reports.get(cluster), isSilent: false }
    const counts = countReplicas({ ...facts, desired: desired.get(cluster) ?? 0 })
    loads.set(cluster, Object.assign(loads.get(cluster) ?? emptyLoad(), counts))
  }
  return loads
}
