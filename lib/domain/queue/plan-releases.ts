/** Plans all queues: which workloads are admitted now, why the others are pending, and what else is written. */
import { formatTime } from '@/lib/std/clock'
import { message } from '@/lib/messages/message'
import { because } from '../plan'
import { QUEUE_FINALIZER } from './annotations'
import { byQueueOrder, isUnadmitted, rolesOf } from './binding-roles'
import { assessHold } from './hold'
import { ResourceUsage } from './resource-usage'
import { PendingList } from './pending-list'
import type { HoldAssessment, QueuePlan, QueueStep, Release, ReleasePlan } from './plan-model'
import { releaseInOrder } from './release-in-order'
import type { OnDelete, QueuedBinding, QueueFacts, QueueSnapshot } from './snapshot-model'
import {
  bindingStep,
  endHoldStep,
  finalizerStep,
  handOverPatch,
  releasedByQueue,
  releasePatch,
  stampHoldStep,
  suspendPatch,
} from './step-patches'
import { tidied } from './amounts'

/** Plans all queues. Pure: the controller carries out the same plan that the console shows. */
export function planReleases(snapshot: QueueSnapshot): ReleasePlan {
  const { now, queues, orphans } = snapshot
  const at = formatTime(now)
  const usage = new ResourceUsage(snapshot)
  const holds = new Map(queues.map((queue) => [queue.key, assessHold(queue, now)]))
  const before = new Map(queues.map((queue) => [queue.key, figuresOf(usage, queue)]))
  const lists = queues
    .filter(({ deleting }) => !deleting)
    .map((queue) => new PendingList(queue, holds.get(queue.key)!, now))
  const resumes = new Map(lists.map((list) => [list.queue.key, resumesOf(list, usage)]))
  const releases = releaseInOrder(usage, lists)
  const byKey = new Map(lists.map((list) => [list.queue.key, list]))
  const plans = queues.map((queue): QueuePlan => ({
    queue,
    hold: holds.get(queue.key)!,
    pendingWorkloads: byKey.get(queue.key)?.entries() ?? [],
    ...before.get(queue.key)!,
    ...countsOf(queue),
  }))
  const steps = [
    ...plans.flatMap((plan) => stepsBefore(plan, now)),
    ...queues.flatMap((queue) => (resumes.get(queue.key) ?? []).map((binding) => resumeStep(queue, binding, at))),
    ...releases.map((release) => releaseStep(release, at)),
    ...plans.flatMap((plan) => stepsAfter(plan, now)),
    ...snapshot.lateBindings.map(({ binding, onDelete }) =>
      leaveStep({ key: binding.notedQueue!, onDelete, cause: 'deleted' }, binding, now),
    ),
  ]
  const looks = plans.flatMap(({ hold }) => hold.lookAgainAt ?? [])
  return { now, releases, steps, queues: plans, orphans, ...(looks.length > 0 && { lookAgainAt: Math.min(...looks) }) }
}

/** Returns the current figures of a queue. */
function figuresOf(usage: ResourceUsage, queue: QueueFacts): Pick<QueuePlan, 'used' | 'borrowed' | 'share'> {
  const { key } = queue
  return {
    used: tidied(usage.used(key)),
    borrowed: tidied(usage.borrowed(key)),
    share: { ...usage.share(key), fair: usage.fairPart(queue) },
  }
}

function countsOf({ bindings }: QueueFacts): Pick<QueuePlan, 'pending' | 'inFlight' | 'admitted'> {
  const { waiting, suspendedByOther, inFlight, counted } = rolesOf(bindings)
  return {
    pending: waiting.length + suspendedByOther.length,
    inFlight,
    admitted: counted.filter(({ placed }) => placed).length,
  }
}

/**
 * Returns placed bindings whose suspension ends, at most as many as the stage of a resume allows; each counts against
 * it. Bindings that run without admission stay suspended while the queue exceeds its quota.
 */
function resumesOf(list: PendingList, usage: ResourceUsage): QueuedBinding[] {
  const { queue, hold } = list
  const isHeld = hold.state !== 'None' && !hold.resume
  const sparesPlaced = !queue.spec.hold?.includePlaced
  const isOverQuota = Object.keys(usage.borrowed(queue.key)).length > 0
  const free = rolesOf(queue.bindings).heldPlaced.filter(
    (binding) =>
      binding.releaseRequested
      || (!(isOverQuota && isUnadmitted(binding))
        && !queue.invalid
        && (!isHeld || (binding.heldPlaced && sparesPlaced))),
  )
  if (!hold.resume) return free
  const now = free.slice(0, Math.max(0, Math.min(list.budget, hold.resume.budget)))
  list.budget -= now.length
  return now
}

/** Returns the steps before admissions: the finalizer, the start of a hold, and bindings to queue. */
function stepsBefore({ queue, hold }: QueuePlan, now: number): QueueStep[] {
  if (queue.deleting || queue.invalid) return []
  return [
    ...(queue.finalizers.includes(QUEUE_FINALIZER) ? [] : [finalizerStep(queue, 'Guard', guarded)]),
    ...(isUnstamped(queue, hold) ? [stampHoldStep(queue, unstamped, now)] : []),
    ...[...hold.toSuspend, ...bypassedOf(queue, hold)].map(({ binding, reason }) =>
      bindingStep('Suspend', binding, {
        queue: queue.key,
        reason,
        patch: suspendPatch(binding, queue.key, { reason: reason.code, now }),
      }),
    ),
    ...rolesOf(queue.bindings).dependents.map((binding) => resumeStep(queue, binding, formatTime(now))),
  ]
}

const guarded = because(message('queues.step.Finalizer'))
const unstamped = because(message('queues.step.HoldWithoutStart'))

/** Returns bindings that bypassed the webhook, unless a hold suspends them anyway. */
function bypassedOf({ bindings }: QueueFacts, { toSuspend }: HoldAssessment): HoldAssessment['toSuspend'] {
  const known = new Set(toSuspend.map(({ binding }) => binding.key))
  const reason = because(message('queues.step.SlippedThrough'))
  return rolesOf(bindings)
    .bypassed.filter(({ key }) => !known.has(key))
    .map((binding) => ({ binding, reason }))
}

const isUnstamped = ({ spec }: QueueFacts, { state }: HoldAssessment): boolean =>
  state !== 'None' && spec.hold !== undefined && spec.hold.since === undefined

function resumeStep({ key }: QueueFacts, binding: QueuedBinding, at: string): QueueStep {
  const by = binding.releaseRequested?.who ?? releasedByQueue(key)
  const reason = because(message('queues.step.Resumed'))
  return bindingStep('Resume', binding, { queue: key, reason, patch: releasePatch(binding, by, at) })
}

function releaseStep({ queue, binding, reason }: Release, at: string): QueueStep {
  const by = binding.releaseRequested?.who ?? releasedByQueue(queue)
  return bindingStep('Release', binding, { queue, reason, patch: releasePatch(binding, by, at) })
}

function stepsAfter({ queue, hold }: QueuePlan, now: number): QueueStep[] {
  if (queue.deleting) return stepsOfDeletion(queue, now)
  return [
    ...queue.detached.map((binding) => leaveStep(leavingOf(queue), binding, now)),
    ...(hold.ends ? [endHoldStep(queue, hold.ends, now)] : []),
  ]
}

/**
 * Returns the steps of a deletion: pending workloads are admitted in order or handed over suspended. Only then is the
 * finalizer removed, so that no workload stays suspended by a missing queue.
 */
function stepsOfDeletion(queue: QueueFacts, now: number): QueueStep[] {
  const mine = [...queue.bindings, ...queue.detached].filter(
    ({ suspended, suspendedBy, state }) => suspended && !suspendedBy && state !== 'Deleting',
  )
  if (mine.length > 0) return mine.sort(byQueueOrder).map((binding) => leaveStep(leavingOf(queue), binding, now))
  if (!queue.finalizers.includes(QUEUE_FINALIZER)) return []
  return [finalizerStep(queue, 'LetGo', because(message('queues.step.QueueEmpty')))]
}

/** The queue that a binding leaves, and why. */
interface LeavingQueue {
  key: string
  onDelete: OnDelete
  cause: 'deleted' | 'deleting' | 'other'
}

const leavingOf = ({ key, deleting, spec: { onDelete = 'Release' } }: QueueFacts): LeavingQueue => ({
  key,
  onDelete,
  cause: deleting ? 'deleting' : 'other',
})

function leaveStep({ key, onDelete, cause }: LeavingQueue, binding: QueuedBinding, now: number): QueueStep {
  if (onDelete === 'Hold') {
    const reason = because(message('queues.step.HandedOver', { cause }))
    return bindingStep('HandOver', binding, { queue: key, reason, patch: handOverPatch(binding, key, now) })
  }
  const reason = because(message('queues.step.QueueGone', { cause }))
  const patch = releasePatch(binding, releasedByQueue(key), formatTime(now))
  return bindingStep(binding.placed ? 'Resume' : 'Release', binding, { queue: key, reason, patch })
}
