/** Starts one workload of a plan: the final checks, and the single write that triggers and protects. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import type { PlannedWorkload } from '@/lib/kube/kinds/rebalance-plan'
import { isConditionTrue } from '@/lib/kube/conditions'
import { message } from '@/lib/messages/message'
import { formatTime, parseTime } from '@/lib/std/clock'
import { omit } from '@/lib/std/omit'
import { because } from '../../plan'
import type { Binding } from '../../placement'
import { clustersInWords, isSameDistribution } from '../distribution'
import { planWorkload, type TargetPlan } from '../plan-rebalance'
import { describeRefusal } from '../plan-reasons'
import { workloadKey } from '../sync-status'
import { pauseBeforeTrigger, stampFor } from '../trigger-time'
import { restoreWorkload } from '../undo'
import { type Protection, protectionFor, unprotected, withoutProtection, withProtection, withSteady } from './protect'
import { isOpen, readRunRecord, RUN_ANNOTATION, type RunRecord } from './record'
import type { Assessment, RunReason, RunSnapshot } from './snapshot'

/** Started, skipped with a reason, or to be decided again later. */
export type StartVerdict = Started | Assessment | { waitMs: number }

export interface Started extends Required<Pick<Assessment, 'entry' | 'step'>> {
  /** As the scheduler will read it. */
  binding: Binding
}

/** Decides on a pending workload from the current state, not from the preview. */
export function startWorkload(entry: PlannedWorkload, snapshot: RunSnapshot, wave: number): StartVerdict {
  const binding = snapshot.bindings.get(workloadKey(entry.workload))
  if (!binding) return skipped(entry, describeRefusal('BindingNotFound'), snapshot)
  const obstacle = obstacleTo(entry, binding, snapshot)
  if (obstacle) return skipped(entry, obstacle, snapshot)
  const waitMs = pauseBeforeTrigger(binding, snapshot.now)
  if (waitMs > 0) return { waitMs }
  const { plan, protection, guarded } = foresee(entry, binding, snapshot)
  if (plan.verdict !== 'moves') return skipped(entry, plan.reason, snapshot)
  return { ...started({ entry, binding, plan, protection }, snapshot, wave), binding: guarded }
}

/** Reports whether the plan restores recorded distributions. */
export function isRestore({ plan: { spec } }: Pick<RunSnapshot, 'plan'>): boolean {
  return spec.undoOf !== undefined || spec.restore !== undefined
}

function obstacleTo(entry: PlannedWorkload, binding: Binding, snapshot: RunSnapshot): RunReason | undefined {
  const record = readRunRecord(binding)
  if (isOpen(record) && record.uid !== snapshot.plan.uid && !isRestore(snapshot)) {
    return because(message('rebalance.run.BeingRebalanced', { plan: record.plan }))
  }
  const present = binding.spec.clusters ?? []
  if (isSameDistribution(entry.before ?? [], present)) return undefined
  return because(
    message('rebalance.run.PlacementChanged', { now: clustersInWords(present), was: clustersInWords(entry.before) }),
  )
}

/** Predicts the scheduling, including the clusters that the protection excludes. */
function foresee(
  entry: PlannedWorkload,
  binding: Binding,
  snapshot: RunSnapshot,
): { plan: TargetPlan; protection: Protection; guarded: Binding } {
  const { spec } = snapshot.plan
  const context = { ...snapshot, ...spec }
  const protectionOf = (after: readonly TargetCluster[]): Protection =>
    spec.makeBeforeBreak === false ? unprotected : protectionFor(binding.spec.clusters ?? [], after)
  if (isRestore(snapshot)) {
    const plan = restoreWorkload({ workload: entry.workload, clusters: entry.predicted ?? [] }, binding, context)
    return { plan, protection: protectionOf(plan.after), guarded: binding }
  }
  const cautious = ({ after }: TargetPlan): Protection =>
    spec.makeBeforeBreak === false ? unprotected : withSteady(protectionOf(after), binding.spec, after)
  const first = planWorkload(entry.workload, binding, context)
  const protection = protectionOf(first.after)
  if (first.verdict !== 'moves' || protection.keep.length === 0) {
    return { plan: first, protection: cautious(first), guarded: binding }
  }
  const guarded = {
    ...binding,
    spec: { ...binding.spec, ...withProtection(binding.spec, { ...protection, hold: [] }, snapshot) },
  }
  const plan = planWorkload(entry.workload, guarded, context)
  return { plan, protection: cautious(plan), guarded }
}

interface Start {
  entry: PlannedWorkload
  binding: Binding
  plan: TargetPlan
  protection: Protection
}

function started(
  { entry, binding, plan, protection }: Start,
  snapshot: RunSnapshot,
  wave: number,
): Omit<Started, 'binding'> {
  const { now } = snapshot
  const mode = isRestore(snapshot) ? 'restore' : 'trigger'
  const record = recordOf({ binding, plan, protection }, snapshot, { mode, wave })
  const before = plan.before.map(plainTarget)
  return {
    entry: {
      workload: entry.workload,
      stage: 'Triggered',
      wave,
      before,
      predicted: record.predicted,
      ...(!isSameDistribution(entry.predicted ?? [], record.predicted) && { renewed: true }),
      replicasMoved: plan.moved,
      readyFloor: plan.ready.floor,
      readyExpected: plan.ready.expected,
      readyLowest: plan.ready.now,
      triggeredAt: formatTime(now),
      reason: 'Triggered',
      message: snapshot.english(plan.reason.text),
    },
    step: {
      act: mode,
      reason: plan.reason,
      details: {
        workload: entry.workload,
        patch: {
          metadata: { annotations: { [RUN_ANNOTATION]: JSON.stringify(record) } },
          spec:
            mode === 'trigger'
              ? triggerFields(binding, protection, snapshot)
              : restoreFields(binding, record, snapshot),
        },
      },
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

function triggerFields(binding: Binding, protection: Protection, snapshot: RunSnapshot): Record<string, unknown> {
  return { rescheduleTriggeredAt: stampFor(binding), ...withProtection(binding.spec, protection, snapshot) }
}

/**
 * A pending trigger would make the scheduler ignore the restored distribution; protection of an older run is replaced.
 */
function restoreFields(binding: Binding, record: RunRecord, snapshot: RunSnapshot): Record<string, unknown> {
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
    ...asPatch(withProtection(cleaned as Binding['spec'], record, snapshot)),
  }
}

/** Sets both fields for a merge patch: absent fields are removed. */
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

/** Returns an entry that is excluded from the plan, also from the wave in which it had a place. */
function skipped(entry: PlannedWorkload, { code, text }: RunReason, { english }: RunSnapshot): Assessment {
  return { entry: { ...omit(entry, 'wave'), stage: 'Skipped', reason: code, message: english(text) } }
}
