/** How one workload of a plan is set off: the last look at it, and the one write that asks and protects. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { PlannedWorkload } from '@/lib/kube/kinds/rebalance-plan'
import { isConditionTrue } from '@/lib/kube/conditions'
import { formatTime, parseTime } from '@/lib/std/clock'
import { because, type Reason } from '../../plan'
import type { Binding } from '../../placement'
import { describe } from '../compare'
import { isSameDistribution } from '../distribution'
import { planWorkload, type TargetPlan } from '../plan-rebalance'
import { workloadKey } from '../sync-status'
import { pauseBeforeTrigger, stampFor } from '../trigger-time'
import { restoreWorkload } from '../undo'
import { type Protection, protectionFor, unprotected, withoutProtection, withProtection } from './protect'
import { isOpen, readRunRecord, RUN_ANNOTATION, type RunRecord } from './record'
import type { Assessment, RunSnapshot } from './snapshot'

/** Started, skipped with a reason, or to be asked again a little later. */
export type StartVerdict = Assessment | { waitMs: number }

/** Decides on a pending workload, on the world as it is now and not as it was previewed. */
export function startWorkload(entry: PlannedWorkload, snapshot: RunSnapshot, wave: number): StartVerdict {
  const binding = snapshot.bindings.get(workloadKey(entry.workload))
  if (!binding) return skipped(entry, because('BindingNotFound', 'Its binding is gone.'))
  const obstacle = obstacleTo(entry, binding, snapshot)
  if (obstacle) return skipped(entry, obstacle)
  const waitMs = pauseBeforeTrigger(binding, snapshot.now)
  if (waitMs > 0) return { waitMs }
  const { plan, protection } = foresee(entry, binding, snapshot)
  if (plan.verdict !== 'moves') return skipped(entry, plan.reason)
  return started({ entry, binding, plan, protection }, snapshot, wave)
}

/** True for plans that bring back recorded distributions. */
export function isRestore({ plan: { spec } }: Pick<RunSnapshot, 'plan'>): boolean {
  return spec.undoOf !== undefined || spec.restore !== undefined
}

function obstacleTo(entry: PlannedWorkload, binding: Binding, snapshot: RunSnapshot): Reason | undefined {
  const record = readRunRecord(binding)
  if (isOpen(record) && record.uid !== snapshot.plan.uid && !isRestore(snapshot)) {
    return because('BeingRebalanced', `Plan ${record.plan} still protects its old copies.`)
  }
  const present = binding.spec.clusters ?? []
  if (isSameDistribution(entry.before ?? [], present)) return undefined
  return because('WorldMoved', `It runs ${describe(present)} by now, not ${describe(entry.before)}.`)
}

/** The scheduling to expect, also with the clusters kept out that the protection keeps out. */
function foresee(
  entry: PlannedWorkload, binding: Binding, snapshot: RunSnapshot,
): { plan: TargetPlan; protection: Protection } {
  const { spec } = snapshot.plan
  const world = { ...snapshot, ...spec }
  const protectionOf = (after: readonly TargetCluster[]): Protection =>
    spec.makeBeforeBreak === false ? unprotected : protectionFor(binding.spec.clusters ?? [], after)
  if (isRestore(snapshot)) {
    const plan = restoreWorkload({ workload: entry.workload, clusters: entry.predicted ?? [] }, binding, world)
    return { plan, protection: protectionOf(plan.after) }
  }
  const first = planWorkload(entry.workload, binding, world)
  const protection = protectionOf(first.after)
  if (first.verdict !== 'moves' || protection.keep.length === 0) return { plan: first, protection }
  const guarded = {
    ...binding,
    spec: { ...binding.spec, ...withProtection(binding.spec, { ...protection, hold: [] }, snapshot.now) },
  }
  const plan = planWorkload(entry.workload, guarded, world)
  return { plan, protection: protectionOf(plan.after) }
}

interface Start {
  entry: PlannedWorkload
  binding: Binding
  plan: TargetPlan
  protection: Protection
}

function started({ entry, binding, plan, protection }: Start, snapshot: RunSnapshot, wave: number): Assessment {
  const { now } = snapshot
  const mode = isRestore(snapshot) ? 'restore' : 'trigger'
  const record = recordOf({ binding, plan, protection }, snapshot, { mode, wave })
  const before = plan.before.map(plainTarget)
  return {
    entry: {
      workload: entry.workload, stage: 'Triggered', wave, before, predicted: record.predicted,
      replicasMoved: plan.moved, readyFloor: plan.ready.floor, readyExpected: plan.ready.expected,
      readyLowest: plan.ready.now, triggeredAt: formatTime(now), reason: 'Triggered', message: plan.reason.text,
    },
    step: {
      act: mode, reason: plan.reason,
      details: { workload: entry.workload, patch: {
        metadata: { annotations: { [RUN_ANNOTATION]: JSON.stringify(record) } },
        spec: mode === 'trigger' ? triggerFields(binding, protection, now) : restoreFields(binding, record, now),
      } },
    },
  }
}

function recordOf(
  { binding, plan, protection }: Omit<Start, 'entry'>,
  snapshot: RunSnapshot,
  { mode, wave }: Pick<RunRecord, 'mode' | 'wave'>,
): RunRecord {
  const { metadata, spec, status } = binding
  const isProtecting = protection.hold.length + protection.keep.length > 0
  return {
    plan: snapshot.plan.name,
    uid: snapshot.plan.uid,
    wave,
    mode,
    at: formatTime(snapshot.now),
    generation: (metadata.generation ?? 0) + 1,
    ...(status?.lastScheduledTime && { lastScheduled: status.lastScheduledTime }),
    ...(spec.rescheduleTriggeredAt && { triggeredBefore: spec.rescheduleTriggeredAt }),
    wasScheduled: isConditionTrue(status?.conditions, 'Scheduled'),
    before: plan.before.map(plainTarget),
    predicted: plan.after.map(plainTarget),
    floor: plan.ready.floor,
    ...protection,
    ...(!isProtecting && { released: 'settled' as const }),
  }
}

const plainTarget = ({ name, replicas = 0 }: TargetCluster): TargetCluster => ({ name, replicas })

function triggerFields(binding: Binding, protection: Protection, now: number): Record<string, unknown> {
  return { rescheduleTriggeredAt: stampFor(binding), ...withProtection(binding.spec, protection, now) }
}

/** An outstanding trigger would make the scheduler forget what is restored; protection of an older run is replaced. */
function restoreFields(binding: Binding, record: RunRecord, now: number): Record<string, unknown> {
  const { spec, status } = binding
  const former = readRunRecord(binding)
  const bare = former ? { ...spec, ...asPatch(withoutProtection(spec, former)) } : spec
  const cleaned = {
    ...spec,
    gracefulEvictionTasks: bare.gracefulEvictionTasks ?? undefined,
    suspension: bare.suspension ?? undefined,
  }
  const isOutstanding = parseTime(spec.rescheduleTriggeredAt ?? '') > parseTime(status?.lastScheduledTime ?? '')
  return {
    clusters: record.predicted,
    ...(isOutstanding && { rescheduleTriggeredAt: null }),
    ...asPatch(withProtection(cleaned as Binding['spec'], record, now)),
  }
}

/** Both fields spelled out for a merge patch: what is absent is removed. */
export function asPatch({
  gracefulEvictionTasks,
  suspension,
}: Pick<Binding['spec'], 'gracefulEvictionTasks' | 'suspension'>): {
  gracefulEvictionTasks: Binding['spec']['gracefulEvictionTasks'] | null
  suspension: Binding['spec']['suspension'] | null
} {
  const dispatchingOnClusters = suspension?.dispatchingOnClusters ?? null
  return {
    gracefulEvictionTasks: gracefulEvictionTasks ?? null,
    suspension: suspension ? ({ ...suspension, dispatchingOnClusters } as Binding['spec']['suspension']) : null,
  }
}

/** The workload takes no part, or no part any more. */
export function skipped(entry: PlannedWorkload, { code, text }: Reason): Assessment {
  return { entry: { ...entry, stage: 'Skipped', reason: code, message: text } }
}
