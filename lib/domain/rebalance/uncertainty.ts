/** Marks predictions of a preview that are uncertain. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { message } from '@/lib/messages/message'
import { strategyOf } from '../division'
import { type Binding, defaultProfile, scheduleBinding, type SchedulerProfile } from '../placement'
import { because } from '../plan'
import { ClustersWithAssumed } from './clusters-with-assumed'
import { clustersInWords, isSameDistribution } from './distribution'
import type { TargetPlan } from './plan-rebalance'

/**
 * Maximum number of workloads whose arrival is simulated individually; the rest is compared with the remaining
 * capacity.
 */
const MAX_FOLLOWED = 500

interface Batch {
  targets: readonly TargetPlan[]
  bindingOf: (target: TargetPlan) => Binding | undefined
  clusters: readonly Cluster[]
  profile?: SchedulerProfile | undefined
}

/**
 * Returns the targets with a note on each uncertain prediction: its result with the current free capacity differs from
 * the result after the preceding workloads. Clusters report their capacity late, with arrivals before departures or
 * together, so the scheduler may use any of these states. A plan that keeps old replicas keeps them only until its next wave.
 */
export function withUncertainty({ targets, bindingOf, clusters, profile = defaultProfile }: Batch): TargetPlan[] {
  const reports = [true, false].map((keeps) => new ClustersWithAssumed(clusters, keeps))
  let followed = 0
  return targets.map((target) => {
    const binding = bindingOf(target)
    if (!binding || target.verdict !== 'moves') return target
    const known = followsCapacity(binding) ? reports.map((assumed) => assumed.clusters) : []
    if (followed < MAX_FOLLOWED) for (const assumed of reports) assumed.arrive(binding, target.after)
    followed += 1
    for (const reported of known) {
      if (reported === clusters) continue
      const after = scheduleBinding({ binding, clusters: reported, profile, mode: 'Fresh' }).clusters
      if (!after || !isSameDistribution(after, target.after)) return withNote(target, after)
    }
    return target
  })
}

function withNote(target: TargetPlan, after: readonly TargetCluster[] | undefined): TargetPlan {
  const note = after
    ? message('rebalance.note.Uncertain', { places: clustersInWords(after) })
    : message('rebalance.note.MayNotFit')
  return { ...target, notes: [...target.notes, because(note)] }
}

function followsCapacity({ spec }: Binding): boolean {
  const strategy = strategyOf(spec.placement ?? {})
  return strategy === 'DynamicWeight' || strategy === 'Aggregated'
}
