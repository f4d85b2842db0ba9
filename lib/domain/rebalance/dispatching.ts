/** Clusters that are told not to follow a binding. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Binding } from '../placement'
import { shiftsBetween } from './distribution'
import { protectedClusters } from './run/record'

/**
 * True when a cluster would gain or lose replicas and dispatching to it is paused by anybody but a plan, so that
 * neither would come about until that ends.
 */
export function isPausedAmong(binding: Binding, after: readonly TargetCluster[]): boolean {
  const held = new Set(protectedClusters(binding))
  const paused = binding.spec.suspension?.dispatchingOnClusters?.clusterNames?.filter((name) => !held.has(name)) ?? []
  const concerned = new Set(shiftsBetween(binding.spec.clusters ?? [], after).map(({ cluster }) => cluster))
  return paused.some((name) => concerned.has(name))
}
