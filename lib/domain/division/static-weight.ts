import type { ClusterPreferences } from '@/lib/kube/kinds/placement'
import { compileAffinity } from '../placement/affinity'
import type { Candidate } from '../placement/candidate'
import { dispenseByWeight } from './dispense'
import { byName, type Division, type DivisionInput, type Share } from './division'

type WeightRules = NonNullable<ClusterPreferences['staticWeightList']>

/**
 * Divides by the static weights of the placement. If several rules match a cluster, the largest weight counts. Clusters
 * without a rule get no replica, unless no cluster has a rule. Capacity and current replicas are ignored.
 */
export function divideStaticWeight({ request, clusters, replicas }: DivisionInput): Division {
  const shares = weighClusters(request.placement.replicaScheduling?.weightPreference?.staticWeightList ?? [], clusters)
  return { ok: true, shares: dispenseByWeight(replicas, shares, request.spec.resource.uid), weights: shares }
}

function weighClusters(list: WeightRules, clusters: readonly Candidate[]): Share[] {
  // The heaviest rule comes first, so that the first one that matches counts.
  const rules = list
    .map(({ targetCluster, weight }) => ({ matches: compileAffinity(targetCluster), weight }))
    .sort((a, b) => b.weight - a.weight)
  // As they are in memory: in any other order, most of the time is spent waiting for the labels of clusters.
  const named = byName(clusters, (cluster) => cluster)
  const weighed: Share[] = []
  for (const cluster of named) {
    for (const { matches, weight } of rules) {
      if (!matches(cluster.facts)) continue
      if (weight > 0) weighed.push({ cluster, replicas: weight })
      break
    }
  }
  return weighed.length > 0 ? weighed : named.map((cluster) => ({ cluster, replicas: 1 }))
}
