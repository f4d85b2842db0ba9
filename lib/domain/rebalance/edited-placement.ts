/** A policy's placement after an edit that a what-if assumes. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { ClusterAffinity, Placement } from '@/lib/kube/kinds/placement'
import { allowCluster, withEdit } from './loss/placement-edits'
import type { PolicyEdit } from './policy-edits'

/** The placement that allows or excludes a cluster; undefined if it does so already, or cannot by the cluster's name. */
export function editedPlacement(placement: Placement, edit: PolicyEdit, cluster: Cluster): Placement | undefined {
  if (edit === 'exclude') return excluding(placement, cluster.metadata.name)
  const change = allowCluster(placement, cluster)
  return change && withEdit(placement, change)
}

function excluding(placement: Placement, cluster: string): Placement | undefined {
  const { clusterAffinity = {}, clusterAffinities } = placement
  const isExcluded = ({ exclude = [] }: ClusterAffinity): boolean => exclude.includes(cluster)
  const without = <T extends ClusterAffinity>(one: T): T =>
    isExcluded(one) ? one : { ...one, exclude: [...(one.exclude ?? []), cluster] }
  if (clusterAffinities?.length)
    return clusterAffinities.every(isExcluded)
      ? undefined
      : { ...placement, clusterAffinities: clusterAffinities.map(without) }
  return isExcluded(clusterAffinity) ? undefined : { ...placement, clusterAffinity: without(clusterAffinity) }
}
