/** Derives the causes of a placement change from successive versions of a binding. */
import type { BindingSpec, GracefulEvictionTask, TargetCluster } from '@/lib/kube/kinds/binding'
import { isConditionTrue } from '@/lib/kube/conditions'
import {
  APPLIED_PLACEMENT_ANNOTATION,
  CLUSTER_POLICY_NAME_ANNOTATION,
  POLICY_NAME_ANNOTATION,
  POLICY_NAMESPACE_ANNOTATION,
} from '@/lib/kube/names'
import { parseTime } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { isProtection } from '../eviction'
import { type Binding, defaultProfile, isPlacementChanged } from '../placement'
import { ignoredTrigger, isSameDistribution, readRunRecord, type RunRecord } from '../rebalance'
import type { CauseFacts, PlacementCause } from './cause'
import { causesOfTask } from './task-cause'

/** A change that the scheduler has not processed yet. */
export interface PendingCause {
  cause: PlacementCause
  /**
   * For a scale or a policy change: the previous value. If the value is restored before the scheduler runs, nothing
   * changed.
   */
  before?: BindingSpec['replicas'] | BindingSpec['placement']
}

export type Pending = readonly PendingCause[]

/** No change is pending. */
export const NOTHING_PENDING: Pending = []

export interface CauseVerdict {
  /** Causes of the placement change; absent if the placement did not change. Never empty. */
  causes?: PlacementCause[]
  /** Pending changes, to pass with the next version. */
  pending: Pending
}

/**
 * Decides why the placement of `next` differs from that of `old`, its previous version. A change is attributed to its
 * writer (an eviction, an undo), otherwise to all requests for a new placement since the scheduler's last result.
 * Requests stay pending while scheduling fails, because a later success fulfils them.
 */
export function decideCause(old: Binding, next: Binding, pending: Pending, facts: CauseFacts): CauseVerdict {
  const evictions = newTasks(old, next)
  const restored = newRecord(old, next, 'restore')
  const evicted = evictions.flatMap((task) => causesOfTask(task, next, facts))
  const own = [...evicted, ...(restored ? [causeOfPlan('undo', restored, facts)] : [])]
  const asked = together(withdrawn(pending, next), requestsIn(old, next, facts))
  if (isSameResult(old.spec.clusters, next.spec.clusters)) {
    const all = [...asked, ...evicted.map((cause) => ({ cause }))]
    return { pending: isAnswered(next) ? NOTHING_PENDING : all }
  }
  if (own.length > 0 && isWrittenBy(own, old, next, restored)) {
    return { causes: own, pending: [...asked, ...evicted.map((cause) => ({ cause }))] }
  }
  const causes = distinct([...own, ...asked.filter((one) => isEffective(one, next)).map(({ cause }) => cause)])
  return { causes: atLeastOne(causes, old, next, facts), pending: NOTHING_PENDING }
}

/** Derives the pending changes from a single version, for a binding that is observed for the first time. */
export function pendingOf(binding: Binding, facts: CauseFacts): Pending {
  const { metadata, spec, status = {} } = binding
  if (!status.lastScheduledTime) return NOTHING_PENDING
  const scheduledAt = parseTime(status.lastScheduledTime)
  const record = readRunRecord(binding)
  const isOfPlan = record?.mode === 'trigger' && record.lastScheduled === status.lastScheduledTime
  const isTriggered = parseTime(spec.rescheduleTriggeredAt ?? '') > scheduledAt
  // Without the annotation, the applied placement is unknown.
  const isKnown = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION] !== undefined
  const isBehind = (status.schedulerObservedGeneration ?? 0) !== (metadata.generation ?? 0)
  const tasks = isBehind
    ? (spec.gracefulEvictionTasks ?? []).filter((task) => parseTime(task.creationTimestamp ?? '') >= scheduledAt)
    : []
  const causes = [
    ...tasks.flatMap((task) => causesOfTask(task, binding, facts)),
    ...(isTriggered ? [isOfPlan ? causeOfPlan('plan wave', record, facts) : rebalanceOf(spec, facts)] : []),
    ...(isKnown && isPlacementChanged(binding) ? [policyChange(binding, facts)] : []),
  ]
  return causes.map((cause) => ({ cause }))
}

/** Returns all changes in the newer version that request a new placement from the scheduler. */
function requestsIn(old: Binding, next: Binding, facts: CauseFacts): Pending {
  const record = newRecord(old, next, 'trigger')
  const { rescheduleTriggeredAt: stamp, replicas, placement } = next.spec
  const { profile = defaultProfile } = facts
  const isTriggered =
    stamp !== undefined && stamp !== old.spec.rescheduleTriggeredAt && !ignoredTrigger(old, next, { profile })
  return [
    ...(isTriggered
      ? [{ cause: record ? causeOfPlan('plan wave', record, facts) : rebalanceOf(next.spec, facts) }]
      : []),
    ...(deepEqual(placement, old.spec.placement)
      ? []
      : [{ cause: policyChange(next, facts), before: old.spec.placement }]),
    ...(replicas === old.spec.replicas ? [] : [{ cause: scaleOf(next, facts), before: old.spec.replicas ?? 0 }]),
  ]
}

/** Drops triggers that were withdrawn, as an undo does. */
function withdrawn(pending: Pending, { spec }: Binding): Pending {
  if (spec.rescheduleTriggeredAt !== undefined) return pending
  return pending.filter(({ cause: { code } }) => code !== 'rebalance' && code !== 'plan wave')
}

/** Of several scales or policy changes, only the first has the value from the scheduler's last result. */
function together(pending: Pending, added: Pending): PendingCause[] {
  const codes = new Set(pending.filter(({ before }) => before !== undefined).map(({ cause: { code } }) => code))
  return [...pending, ...added.filter(({ cause: { code } }) => !codes.has(code))]
}

function isEffective({ cause: { code }, before }: PendingCause, { spec }: Binding): boolean {
  if (before === undefined) return true
  return code === 'scale' ? before !== (spec.replicas ?? 0) : !deepEqual(before, spec.placement)
}

/** Reports whether the scheduler has processed the current spec and found a placement. */
function isAnswered({ metadata, spec, status = {} }: Binding): boolean {
  const isSeen = (status.schedulerObservedGeneration ?? 0) === (metadata.generation ?? 0)
  const isTriggered = parseTime(spec.rescheduleTriggeredAt ?? '') > parseTime(status.lastScheduledTime ?? '')
  return isSeen && !isTriggered && isConditionTrue(status.conditions, 'Scheduled')
}

function newTasks(old: Binding, next: Binding): GracefulEvictionTask[] {
  const before = old.spec.gracefulEvictionTasks ?? []
  return (next.spec.gracefulEvictionTasks ?? []).filter(
    (task) => !isProtection(task) && !before.some((one) => isSameTask(one, task)),
  )
}

/** The creation time may be written shortly after the task. */
function isSameTask(one: GracefulEvictionTask, other: GracefulEvictionTask): boolean {
  return (
    one.fromCluster === other.fromCluster
    && one.producer === other.producer
    && (one.creationTimestamp === undefined || one.creationTimestamp === other.creationTimestamp)
  )
}

function newRecord(old: Binding, next: Binding, mode: RunRecord['mode']): RunRecord | undefined {
  const [before, after] = [readRunRecord(old), readRunRecord(next)]
  const isNew = after?.mode === mode && (before?.uid !== after.uid || before.generation !== after.generation)
  return isNew ? after : undefined
}

/** Reports whether the change is exactly what evictions and restores write themselves, without the scheduler. */
function isWrittenBy(
  own: readonly PlacementCause[],
  old: Binding,
  next: Binding,
  restored: RunRecord | undefined,
): boolean {
  if (restored) return isSameResult(restored.predicted, next.spec.clusters)
  const left = new Set(own.map(({ cluster }) => cluster))
  return isSameResult(
    (old.spec.clusters ?? []).filter(({ name }) => !left.has(name)),
    next.spec.clusters,
  )
}

const isSameResult = (one: readonly TargetCluster[] = [], other: readonly TargetCluster[] = []): boolean =>
  isSameDistribution(one, other)

/**
 * Adds a cause if there is none. The first placement of a workload is always a first placement, whatever was requested
 * meanwhile.
 */
function atLeastOne(causes: PlacementCause[], old: Binding, next: Binding, facts: CauseFacts): PlacementCause[] {
  if (!old.status?.lastScheduledTime && !old.spec.clusters?.length) return [{ code: 'first placement' }]
  if (causes.length > 0) return causes
  const left = (old.spec.clusters ?? []).filter(({ name }) => !next.spec.clusters?.some((one) => one.name === name))
  const removed = left.filter(({ name }) => facts.cluster(name)?.metadata.deletionTimestamp !== undefined)
  if (removed.length > 0) return removed.map(({ name }) => ({ code: 'cluster removal', cluster: name }))
  return [{ code: 'unknown cause' }]
}

function causeOfPlan(
  code: 'plan wave' | 'undo',
  { plan, uid, wave }: RunRecord,
  facts: Pick<CauseFacts, 'plan'>,
): PlacementCause {
  return { code, object: { kind: 'RebalancePlan', name: plan }, wave, ...facts.plan(plan, uid) }
}

function rebalanceOf({ rescheduleTriggeredAt = '' }: BindingSpec, facts: CauseFacts): PlacementCause {
  const found = facts.rebalancer(rescheduleTriggeredAt)
  if (!found) return { code: 'rebalance' }
  const { name, by } = found
  return { code: 'rebalance', object: { kind: 'WorkloadRebalancer', name }, ...(by !== undefined && { by }) }
}

/** The author of a scale is that of the template, which has the number of replicas. */
function scaleOf({ spec: { resource } }: Binding, facts: CauseFacts): PlacementCause {
  return { code: 'scale', ...byAuthor(facts, resource) }
}

function byAuthor(facts: CauseFacts, object: Parameters<NonNullable<CauseFacts['author']>>[0]): { by?: string } {
  const by = facts.author?.(object)
  return by === undefined ? {} : { by }
}

const POLICIES = 'policy.karmada.io/v1alpha1'

function policyChange({ metadata: { annotations = {} } }: Binding, facts: CauseFacts): PlacementCause {
  const [name, clusterWide] = [annotations[POLICY_NAME_ANNOTATION], annotations[CLUSTER_POLICY_NAME_ANNOTATION]]
  const namespace = annotations[POLICY_NAMESPACE_ANNOTATION]
  if (name) {
    const object = { kind: 'PropagationPolicy', ...(namespace && { namespace }), name }
    return { code: 'policy change', object, ...byAuthor(facts, { apiVersion: POLICIES, ...object }) }
  }
  if (!clusterWide) return { code: 'policy change' }
  const object = { kind: 'ClusterPropagationPolicy', name: clusterWide }
  return { code: 'policy change', object, ...byAuthor(facts, { apiVersion: POLICIES, ...object }) }
}

function distinct(causes: readonly PlacementCause[]): PlacementCause[] {
  return causes.filter((cause, index) => causes.findIndex((other) => deepEqual(other, cause)) === index)
}
