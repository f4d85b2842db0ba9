/** Clusters with suspended dispatching. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Binding } from '../placement'
import { shiftsBetween } from './distribution'
import { protectedClusters } from './run/record'

/**
 * Reports whether a cluster would gain or lose replicas while a client other than a plan suspends dispatching to it.
 * The change would take effect only after that suspension ends.
 */
export function isPausedAmong(binding: Binding, after: readonly TargetCluster[]): boolean {
  const held = new Set(protectedClusters(binding))
  const paused = binding.spec.suspension?.dispatchingOnClusters?.clusterNames?.filter((name) => !held.has(name)) ?? []
  const concerned = new Set(shiftsBetween(binding.spec.clusters ?? [], after).map(({ cluster }) => cluster))
  return paused.some((name) => concerned.has(name))
}
