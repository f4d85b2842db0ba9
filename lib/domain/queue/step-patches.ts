/** Builds the writes of the controller: merge patches with the resourceVersion that was read. */
import { type EpochMs, formatTime } from '@/lib/std/clock'
import {
  formatSignature,
  formatUndone,
  RESUMED_BY_ANNOTATION,
  HELD_PLACED_ANNOTATION,
  HOLD_ENDED_ANNOTATION,
  QUEUE_ANNOTATION,
  QUEUE_FINALIZER,
  RELEASE_REQUESTED_ANNOTATION,
  RELEASED_AT_ANNOTATION,
  RELEASED_BY_ANNOTATION,
  BYPASSED_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_REASON_ANNOTATION,
  UNDONE_ANNOTATION,
} from './annotations'
import { UNKNOWN_USER } from './hold-bypass'
import type { QueueAct, QueueStep, StepDetails } from './plan-model'
import type { QueuedBinding, QueueFacts, QueueReason } from './snapshot-model'

type Notes = Record<string, string | null>
type Patch = StepDetails['patch']

/** Why a workload is suspended: a code of the plan's reasons. */
interface Cause {
  reason: string
  now: EpochMs
}

/** Returns the name of a queue as the admitter in the annotation. */
export const releasedByQueue = (queue: string): string => `queue ${queue}`

/** Returns the patch that allows scheduling of a binding. `by` is a user, or `releasedByQueue`; `at` is RFC 3339. */
export function releasePatch({ resourceVersion }: QueuedBinding, by: string, at: string): Patch {
  const annotations: Notes = {
    [RELEASED_AT_ANNOTATION]: at,
    [RELEASED_BY_ANNOTATION]: by,
    [RELEASE_REQUESTED_ANNOTATION]: null,
    [HELD_PLACED_ANNOTATION]: null,
    [UNDONE_ANNOTATION]: null,
    [SUSPENDED_BY_ANNOTATION]: null,
    [SUSPENDED_REASON_ANNOTATION]: null,
    [RESUMED_BY_ANNOTATION]: null,
  }
  return { metadata: { resourceVersion, annotations }, spec: { suspension: { scheduling: false } } }
}

/** Returns the patch that queues a binding. */
export function suspendPatch(binding: QueuedBinding, queue: string, { reason, now }: Cause): Patch {
  const { resourceVersion, undone, suspensionWriter } = binding
  const at = formatTime(now)
  const annotations: Notes = {
    [QUEUE_ANNOTATION]: queue,
    [RELEASED_AT_ANNOTATION]: null,
    [RELEASED_BY_ANNOTATION]: null,
    [RELEASE_REQUESTED_ANNOTATION]: null,
    [RESUMED_BY_ANNOTATION]: null,
    [SUSPENDED_BY_ANNOTATION]: null,
    [SUSPENDED_REASON_ANNOTATION]: null,
    ...(reason === 'SlippedThrough' && { [BYPASSED_ANNOTATION]: at }),
    ...(reason === 'HeldPlaced' && { [HELD_PLACED_ANNOTATION]: queue }),
    [UNDONE_ANNOTATION]:
      reason === 'Undone'
        ? formatUndone({ times: (undone?.times ?? 0) + 1, at, who: suspensionWriter?.who || UNKNOWN_USER })
        : null,
  }
  return { metadata: { resourceVersion, annotations }, spec: { suspension: { scheduling: true } } }
}

/** Returns the patch that keeps a binding suspended without a queue, as if a user had suspended it. */
export function handOverPatch({ resourceVersion }: QueuedBinding, queue: string, now: EpochMs): Patch {
  const annotations: Notes = {
    [QUEUE_ANNOTATION]: null,
    [HELD_PLACED_ANNOTATION]: null,
    [RELEASE_REQUESTED_ANNOTATION]: null,
    [UNDONE_ANNOTATION]: null,
    [SUSPENDED_BY_ANNOTATION]: formatSignature({ who: releasedByQueue(queue), at: formatTime(now) }),
    [SUSPENDED_REASON_ANNOTATION]: 'onDelete: Hold',
  }
  return { metadata: { resourceVersion, annotations } }
}

/** Returns a step for a binding. */
export function bindingStep(act: QueueAct, binding: QueuedBinding, step: BindingStep): QueueStep {
  const { namespace, name } = binding
  const { queue, reason, patch } = step
  return { act, reason, details: { object: 'binding', queue, namespace, name, patch } }
}

interface BindingStep {
  queue: string
  reason: QueueReason
  patch: Patch
}

/** Ends the hold and records by whom. */
export function endHoldStep(queue: QueueFacts, reason: QueueReason, now: EpochMs): QueueStep {
  const who = reason.code === 'TimeOver' ? 'spec.hold.until' : (queue.holdEnded?.who ?? 'spec.hold.resume')
  const annotations = { [HOLD_ENDED_ANNOTATION]: formatSignature({ who, at: formatTime(now) }) }
  return queueStep(queue, 'EndHold', { reason, patch: { metadata: { annotations }, spec: { hold: null } } })
}

/** Records the start of a hold, if admission did not. */
export function stampHoldStep(queue: QueueFacts, reason: QueueReason, now: EpochMs): QueueStep {
  return queueStep(queue, 'StampHold', { reason, patch: { metadata: {}, spec: { hold: { since: formatTime(now) } } } })
}

/** Adds or removes the finalizer that keeps a deleted queue until its pending workloads are admitted or handed over. */
export function finalizerStep(queue: QueueFacts, act: 'Guard' | 'LetGo', reason: QueueReason): QueueStep {
  const others = queue.finalizers.filter((name) => name !== QUEUE_FINALIZER)
  const finalizers = act === 'Guard' ? [...others, QUEUE_FINALIZER] : others
  return queueStep(queue, act, { reason, patch: { metadata: { finalizers } } })
}

interface QueuePatch {
  reason: QueueReason
  patch: { metadata: Record<string, unknown>; spec?: Record<string, unknown> }
}

function queueStep(
  { key, namespace, name, resourceVersion }: QueueFacts,
  act: QueueAct,
  { reason, patch }: QueuePatch,
): QueueStep {
  const metadata = { ...patch.metadata, resourceVersion }
  return { act, reason, details: { object: 'queue', queue: key, namespace, name, patch: { ...patch, metadata } } }
}
