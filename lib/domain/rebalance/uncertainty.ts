/** Marks predictions of a preview that are uncertain. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import { strategyOf } from '../division'
import { type Assumptions, type Binding, defaultProfile, scheduleBinding, type SchedulerProfile } from '../placement'
import { because } from '../plan'
import { clustersInWords, isSameDistribution } from './distribution'
import { inSchedulingOrder } from './order'
import { OvercommitProtection } from './overcommit-protection'
import type { TargetPlan } from './plan-rebalance'
import type { PlanReason } from './plan-reasons'
import { PossibleReports } from './possible-reports'
import type { RecentMove } from './recent-moves'

/** Maximum number of workloads whose move is simulated; the rest is compared with the capacity after these. */
const MAX_FOLLOWED = 500
/** Maximum decisions about mixed reports; the common ones are always decided. */
const MAX_MIXED = 5000
/** The same in clusters looked at: a preview of many workloads on many clusters must not hold up other requests. */
const MAX_MIXED_LOOKS = 100_000

/** A workload that moves in a batch. */
type Moving = Pick<TargetPlan, 'workload' | 'after'>

interface Batch<T extends Moving> {
  targets: readonly T[]
  bindingOf: (target: T) => Binding | undefined
  clusters: readonly Cluster[]
  profile?: SchedulerProfile | undefined
  /** What the scheduler counts already; with overcommit protection. */
  assumptions?: Assumptions | undefined
  now?: EpochMs
  /** Every restart of the scheduler was noticed. Default false. */
  knowsRestarts?: boolean | undefined
  /** Moves that clusters may not have reported yet. Default none. */
  underWay?: readonly RecentMove[]
}

/** Why the scheduler may have another result, and which; without clusters if it may find none. */
export interface Doubt {
  note: PlanReason
  other?: readonly TargetCluster[]
}

/** Returns the targets with a note on each uncertain prediction. */
export function withUncertainty(batch: Batch<TargetPlan>): TargetPlan[] {
  const doubts = doubtsOf({ ...batch, targets: batch.targets.filter(({ verdict }) => verdict === 'moves') })
  return batch.targets.map((target) => {
    const doubt = doubts.get(target)
    return doubt ? { ...target, uncertain: true, notes: [...target.notes, doubt.note] } : target
  })
}

/**
 * Returns the uncertain predictions: their result differs in a state that the clusters may report by the time when the
 * scheduler comes to them. A plan that keeps old replicas keeps them only until its next wave.
 */
export function doubtsOf<T extends Moving>(batch: Batch<T>): Map<T, Doubt> {
  const { targets, bindingOf, clusters, profile = defaultProfile, underWay = [] } = batch
  const reports = new PossibleReports(clusters)
  for (const { binding, after } of underWay) reports.move(binding, after)
  const protection = new OvercommitProtection(batch)
  const doubts = new Map<T, Doubt>()
  const workloadOf = ({ workload }: T): T['workload'] => workload
  const budget = { mixed: Math.min(MAX_MIXED, Math.floor(MAX_MIXED_LOOKS / Math.max(1, clusters.length))) }
  let followed = 0
  for (const target of inSchedulingOrder(targets, { workloadOf, bindingOf })) {
    const binding = bindingOf(target)
    if (!binding) continue
    if (followsCapacity(binding)) {
      const doubt = doubtOf({ target, binding, reports, protection, budget }, profile)
      if (doubt) doubts.set(target, doubt)
    }
    if (followed++ >= MAX_FOLLOWED) continue
    reports.move(binding, target.after)
    protection.record(binding, target.after)
  }
  return doubts
}

interface Question {
  target: Moving
  binding: Binding
  reports: PossibleReports
  protection: OvercommitProtection
  budget: { mixed: number }
}

/** Returns why the scheduler may have another result; undefined if it has not. */
function doubtOf(question: Question, profile: SchedulerProfile): Doubt | undefined {
  const isSure = !question.reports.haveChanged && question.protection.isSure
  const other = isSure ? undefined : otherResult(question, profile)
  if (!other) return profile.asksEstimators ? { note: because(message('rebalance.note.AsksEstimators')) } : undefined
  if (!other.after) return { note: because(message('rebalance.note.MayNotFit')) }
  const places = clustersInWords(other.after)
  return { note: because(message('rebalance.note.OthersMove', { places })), other: other.after }
}

/** Returns another result that the scheduler may have; undefined if there is none. */
function otherResult(
  { target, binding, reports, protection, budget }: Question,
  profile: SchedulerProfile,
): { after: readonly TargetCluster[] | undefined } | undefined {
  for (const clusters of statesOf(reports, budget)) {
    for (const estimators of protection.states()) {
      const after = scheduleBinding({
        binding,
        clusters,
        profile,
        mode: 'Fresh',
        writes: false,
        ...estimators,
      }).clusters
      if (!after || !isSameDistribution(after, target.after)) return { after }
    }
  }
  return undefined
}

function* statesOf(reports: PossibleReports, budget: { mixed: number }): Generator<readonly Cluster[]> {
  yield* reports.common()
  for (const clusters of reports.mixed()) {
    if (budget.mixed-- <= 0) return
    yield clusters
  }
}

/** Reports whether free capacity decides: on the division of replicas, or on the clusters that fulfill constraints. */
function followsCapacity({ spec }: Binding): boolean {
  const { placement = {} } = spec
  const strategy = strategyOf(placement)
  return strategy === 'DynamicWeight' || strategy === 'Aggregated' || Boolean(placement.spreadConstraints?.length)
}
