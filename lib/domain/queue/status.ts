/** Builds the status of a queue. Deterministic for a plan and the previous status. */
import { setCondition } from '@/lib/kube/conditions'
import type { QueueStatus } from '@/lib/kube/kinds/queue'
import type { Condition } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { message, type Message } from '@/lib/messages/message'
import { resourceListOf } from './amounts'
import { rolesOf } from './binding-roles'
import { RESUMING_CONDITION, blockedResume } from './hold'
import type { QueuePlan, ReleasePlan } from './plan-model'
import type { QueueFacts } from './snapshot-model'
import { unadmittedMessage } from './unadmitted'
import { waitMessage } from './wait-reason'

type Render = (text: Message) => string

/** True while workloads run that the queue did not admit. Absent until it was true once. */
const ADMISSION_CONDITION = 'AdmissionBypassed'

/** Maximum number of leaks listed; the message counts all of them. */
const MAX_LEAKS = 20

/**
 * Returns the status of one queue of a plan. The previous status supplies transition times, the start of a resume, and
 * the record of the last hold. `render` writes messages as text.
 */
export function queueStatusOf(plan: ReleasePlan, key: string, render: Render): QueueStatus | undefined {
  const found = plan.queues.find(({ queue }) => queue.key === key)
  return found && statusOf(found, formatTime(plan.now), render)
}

function statusOf(plan: QueuePlan, now: string, render: Render): QueueStatus {
  const { queue, pendingWorkloads, used, borrowed, share } = plan
  const head = pendingWorkloads[0]
  // A queue that is being deleted has no pending workloads in its plan: it releases or hands over all of them.
  const oldest = head && rolesOf(queue.bindings).oldestSince
  const lastHold = lastHoldOf(plan, now)
  return {
    observedGeneration: queue.generation,
    namespaces: [...queue.namespaces],
    pending: plan.pending,
    inFlight: plan.inFlight.length,
    admitted: plan.admitted,
    used: resourceListOf(used),
    ...(queue.limits && { quota: resourceListOf(queue.limits.hard), borrowed: resourceListOf(borrowed) }),
    ...(share
      && share.part > 0 && { dominantShare: { resource: share.resource, permille: Math.round(share.part * 1000) } }),
    ...(head && {
      headOfLine: { namespace: head.binding.namespace, name: head.binding.name, reason: render(waitMessage(head.why)) },
    }),
    ...(oldest && { oldestWaitSince: oldest }),
    hold: holdStatus(plan, render),
    ...(lastHold && { lastHold }),
    slippedThrough: queue.bindings.filter(({ slippedThrough }) => slippedThrough).length,
    conditions: conditionsOf(plan, now, render),
  }
}

function holdStatus(plan: QueuePlan, render: Render): QueueStatus['hold'] {
  const { state, affected, leaks, undone, resume } = plan.hold
  if (state === 'None') return { state }
  return {
    state,
    message: render(holdMessage(plan)),
    affected,
    ...(leaks.length > 0 && {
      leaks: leaks
        .slice(0, MAX_LEAKS)
        .map(({ binding: { namespace, name }, at, message: text }) => ({
          namespace,
          name,
          ...(at && { at }),
          message: render(text),
        })),
    }),
    ...(undone && { undoneBy: undone.who, undoneTimes: undone.times }),
    ...(resume && { resumed: resume.done }),
  }
}

/** Adds the next workload and its reason if a staged resume makes no progress. Requires a hold. */
function holdMessage(plan: QueuePlan): Message {
  const {
    hold: { message: progress },
  } = plan
  const next = blockedResume(plan)
  return next
    ? message('queues.hold.resumeBlocked', {
        progress: progress!,
        workload: next.binding.key,
        reason: waitMessage(next.why),
      })
    : progress!
}

/** Records the hold here while it lasts, so that the record survives the removal of the hold from the spec. */
function lastHoldOf({ queue }: QueuePlan, now: string): QueueStatus['lastHold'] {
  const {
    spec: { hold: present },
    status,
  } = queue
  const known = status?.lastHold
  if (present) {
    const { reason, by, since } = present
    return { reason, ...(by && { by }), ...(since && { since }) }
  }
  if (!known || known.endedAt !== undefined) return known
  return { ...known, ...endOf(queue, now) }
}

/** The annotation about the end counts only if it is newer than the hold; without one, the hold ends now. */
function endOf({ status, holdEnded }: QueueFacts, now: string): { endedAt: string; endedBy?: string } {
  const since = status?.lastHold?.since ?? ''
  return holdEnded?.at && holdEnded.at >= since ? { endedAt: holdEnded.at, endedBy: holdEnded.who } : { endedAt: now }
}

function conditionsOf(plan: QueuePlan, now: string, render: Render): Condition[] {
  const { queue, hold } = plan
  const { invalid, missingQuota, generation: observedGeneration, status } = queue
  const valid = {
    type: 'Valid',
    observedGeneration,
    ...(invalid
      ? { status: 'False' as const, reason: invalid.code, message: render(invalid.text) }
      : {
          status: 'True' as const,
          reason: 'Valid',
          message: render(message('queues.condition.Valid', { count: queue.namespaces.length })),
        }),
  }
  const quota = {
    type: 'QuotaFound',
    observedGeneration,
    ...(missingQuota
      ? {
          status: 'False' as const,
          reason: 'NotFound',
          message: render(
            message('queues.condition.QuotaNotFound', { name: missingQuota, namespace: queue.namespace }),
          ),
        }
      : { status: 'True' as const, reason: 'Found', message: '' }),
  }
  const resuming = {
    type: RESUMING_CONDITION,
    observedGeneration,
    ...(hold.state === 'Resuming'
      ? { status: 'True' as const, reason: 'InStages', message: render(holdMessage(plan)) }
      : { status: 'False' as const, reason: 'NoResume', message: '' }),
  }
  const unadmitted = unadmittedMessage(queue)
  const known = status?.conditions?.some(({ type }) => type === ADMISSION_CONDITION)
  const admission = {
    type: ADMISSION_CONDITION,
    observedGeneration,
    ...(unadmitted !== undefined
      ? { status: 'True' as const, reason: 'PlacedWithoutAdmission', message: render(unadmitted) }
      : { status: 'False' as const, reason: 'AsAdmitted', message: '' }),
  }
  return [valid, quota, resuming, ...(unadmitted !== undefined || known ? [admission] : [])].reduce(
    (list, each) => setCondition(list, each, now),
    (status?.conditions ?? []) as Condition[],
  )
}
