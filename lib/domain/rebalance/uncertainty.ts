/** Which predictions of a preview are uncertain. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { message } from '@/lib/messages/message'
import { strategyOf } from '../division'
import { type Binding, defaultProfile, scheduleBinding, type SchedulerProfile } from '../placement'
import { because } from '../plan'
import { ClustersInTurn } from './clusters-in-turn'
import { clustersInWords, isSameDistribution } from './distribution'
import type { TargetPlan } from './plan-rebalance'

/** Workloads whose arrival is followed one by one; the rest is compared with what those leave. */
const MOST_FOLLOWED = 500

interface Batch {
  targets: readonly TargetPlan[]
  bindingOf: (target: TargetPlan) => Binding | undefined
  clusters: readonly Cluster[]
  profile?: SchedulerProfile | undefined
}

/**
 * Returns the targets with a note on each whose prediction is uncertain: by the free capacity of now it ends elsewhere than
 * by what the workloads before it leave. Clusters report their capacity late, so the scheduler may use either.
 */
export function withUncertainty({ targets, bindingOf, clusters, profile = defaultProfile }: Batch): TargetPlan[] {
  const inTurn = new ClustersInTurn(clusters)
  let followed = 0
  return targets.map((target) => {
    const binding = bindingOf(target)
    if (!binding || target.verdict !== 'moves') return target
    const known = inTurn.clusters
    const after =
      known === clusters || !followsCapacity(binding)
        ? target.after
        : scheduleBinding({ binding, clusters: known, profile, mode: 'Fresh' }).clusters
    if (followed < MOST_FOLLOWED) inTurn.arrive(binding, target.after)
    followed += 1
    if (after && isSameDistribution(after, target.after)) return target
    const note = after
      ? message('rebalance.note.Uncertain', { places: clustersInWords(after) })
      : message('rebalance.note.MayNotFit')
    return { ...target, notes: [...target.notes, because(note)] }
  })
}

function followsCapacity({ spec }: Binding): boolean {
  const strategy = strategyOf(spec.placement ?? {})
  return strategy === 'DynamicWeight' || strategy === 'Aggregated'
}
