/** Marks predictions of a preview that are uncertain. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { type Message, message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import { strategyOf } from '../division'
import { type Assumptions, type Binding, defaultProfile, scheduleBinding, type SchedulerProfile } from '../placement'
import { because } from '../plan'
import { clustersInWords, isSameDistribution } from './distribution'
import { inSchedulingOrder } from './order'
import { OvercommitProtection } from './overcommit-protection'
import type { TargetPlan } from './plan-rebalance'
import { PossibleReports } from './possible-reports'
import type { RecentMove } from './recent-moves'

/** Maximum number of workloads whose move is simulated; the rest is compared with the capacity after these. */
const MAX_FOLLOWED = 500
/** Maximum decisions about mixed reports; the common ones are always decided. */
const MAX_MIXED = 5000
/** The same in clusters looked at: a preview of many workloads on many clusters must not hold up other requests. */
const MAX_MIXED_LOOKS = 100_000

interface Batch {
  targets: readonly TargetPlan[]
  bindingOf: (target: TargetPlan) => Binding | undefined
  clusters: readonly Cluster[]
  profile?: SchedulerProfile | undefined
  /** What the scheduler counts already; with overcommit protection. */
  assumptions?: Assumptions | undefined
  now?: EpochMs
  /** Moves that clusters may not have reported yet. Default none. */
  underWay?: readonly RecentMove[]
}

/**
 * Returns the targets with a note on each uncertain prediction: its result differs in a state that the clusters may report
 * by the time when the scheduler comes to it. A plan that keeps old replicas keeps them only until its next wave.
 */
export function withUncertainty(batch: Batch): TargetPlan[] {
  const { targets, bindingOf, clusters, profile = defaultProfile, underWay = [] } = batch
  const reports = new PossibleReports(clusters)
  for (const { binding, after } of underWay) reports.move(binding, after)
  const protection = new OvercommitProtection(batch)
  const noted = new Map<TargetPlan, TargetPlan>()
  const workloadOf = ({ workload }: TargetPlan): TargetPlan['workload'] => workload
  const budget = { mixed: Math.min(MAX_MIXED, Math.floor(MAX_MIXED_LOOKS / Math.max(1, clusters.length))) }
  let followed = 0
  for (const target of inSchedulingOrder(targets, { workloadOf, bindingOf })) {
    const binding = bindingOf(target)
    if (!binding || target.verdict !== 'moves') continue
    if (followsCapacity(binding)) {
      const note = doubtOf({ target, binding, reports, protection, budget }, profile)
      if (note) noted.set(target, { ...target, uncertain: true, notes: [...target.notes, because(note)] })
    }
    if (followed++ >= MAX_FOLLOWED) continue
    reports.move(binding, target.after)
    protection.record(binding, target.after)
  }
  return targets.map((target) => noted.get(target) ?? target)
}

interface Question {
  target: TargetPlan
  binding: Binding
  reports: PossibleReports
  protection: OvercommitProtection
  budget: { mixed: number }
}

/** Returns why the scheduler may have another result; undefined if it has not. */
function doubtOf(question: Question, profile: SchedulerProfile): Message | undefined {
  const isSure = !question.reports.haveChanged && question.protection.isSure
  const other = isSure ? undefined : otherResult(question, profile)
  if (!other) return profile.asksEstimators ? message('rebalance.note.AsksEstimators') : undefined
  return other.after
    ? message('rebalance.note.Uncertain', { places: clustersInWords(other.after) })
    : message('rebalance.note.MayNotFit')
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
