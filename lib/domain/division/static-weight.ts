import type { ClusterPreferences } from '@/lib/kube/kinds/placement'
import { compileAffinity } from '../placement/affinity'
import type { Candidate } from '../placement/candidate'
import { dispenseByWeight } from './dispense'
import type { Division, DivisionInput, Share } from './division'

type WeightRules = NonNullable<ClusterPreferences['staticWeightList']>

/**
 * By the weights of the placement. Of several rules that match a cluster the heaviest counts; clusters without a rule
 * get nothing, unless no cluster has one. Neither capacity nor the present distribution plays a part.
 */
export function divideStaticWeight({ request, clusters, replicas }: DivisionInput): Division {
  const shares = weighClusters(request.placement.replicaScheduling?.weightPreference?.staticWeightList ?? [], clusters)
  return { ok: true, shares: dispenseByWeight(replicas, shares, request.spec.resource.uid), weights: shares }
}

function weighClusters(list: WeightRules, clusters: readonly Candidate[]): Share[] {
  const rules = list.map(({ targetCluster, weight }) => ({ matches: compileAffinity(targetCluster), weight }))
  const weighOne = ({ facts }: Candidate): number =>
    rules.reduce((heaviest, { matches, weight }) => (weight > heaviest && matches(facts) ? weight : heaviest), 0)
  const shares = clusters.map((cluster) => ({ cluster, replicas: weighOne(cluster) }))
  const weighed = shares.filter(({ replicas }) => replicas > 0)
  return weighed.length > 0 ? weighed : clusters.map((cluster) => ({ cluster, replicas: 1 }))
}
