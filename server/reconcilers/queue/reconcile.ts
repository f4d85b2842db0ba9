/** Plans and carries out all queues. */
import { countUnadmitted, planReleases, queueSnapshotOf, type ReleasePlan, unadmittedMessage } from '@/lib/domain/queue'
import { isConflict } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { queue as queueKind } from '@/lib/kube/kinds/queue'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { objectKey } from '@/lib/kube/object'
import { english } from '@/lib/messages/english'
import type { Informers } from '@/server/kube/informer'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import { carryOut } from './act'
import type { QueueMemory } from './memory'
import { NOTED, observe, type Observed } from './observe'
import { COMPONENT } from './reasons'
import { recordBeginnings, report } from './status'

export interface QueuePassOptions {
  /** Queues written concurrently. */
  concurrency: number
  /** Interval between plans over time, see `Pace`; changes in between are handled together. */
  passEveryMs: number
  /** False if the control plane does not serve FederatedResourceQuota. */
  quotasServed: boolean
  memory: QueueMemory
}

/** Maximum requeue delay, because timers cannot span many days. */
const MAX_SLEEP_MS = 3_600_000

/** 1. Respect the interval. 2. Observe. 3. Plan. 4. Carry out. 5. Report. 6. Requeue. */
export async function reconcileQueues(context: ReconcilerContext, options: QueuePassOptions): Promise<ReconcileResult> {
  const { memory, passEveryMs, concurrency, quotasServed } = options
  const { clock, informers } = context
  const begun = clock.elapsed()
  const waitMs = memory.pace.waitMs(begun)
  if (waitMs > 0) return { requeueAfterMs: waitMs }
  if (isIdle(informers)) return context.metrics?.unadmitted(new Map())
  const now = clock.now()
  const observed = observe(informers, memory, { now, elapsed: begun, quotasServed })
  const plan = planReleases(queueSnapshotOf(observed))
  memory.pace.happened(begun, clock.elapsed() - begun)
  await recordBeginnings(context, plan, { queues: observed.queues, memory })
  noteEnds(plan, memory, clock.elapsed())
  const outcome = await carryOut(context, plan, { observed, memory, concurrency })
  if (plan.steps.length > 0) memory.pace.carriedOut(clock.elapsed())
  reportOrphans(context, plan, { observed, memory })
  reportUnadmitted(context, plan, { observed, memory })
  // After a failure every status is reported; otherwise queues that were written to are reported after the next plan.
  const failed = outcome.error !== undefined && !isConflict(outcome.error)
  const unfinished = new Set(failed ? [] : plan.steps.map(({ details }) => details.queue))
  const reportMs = await report(context, plan, { queues: observed.queues, memory, unfinished })
  if (outcome.error !== undefined) throw outcome.error
  const lookMs = plan.lookAgainAt === undefined ? undefined : plan.lookAgainAt - clock.now()
  const waits = [reportMs, lookMs, unfinished.size > 0 ? passEveryMs : undefined].filter((wait) => wait !== undefined)
  if (waits.length > 0) return { requeueAfterMs: Math.min(MAX_SLEEP_MS, Math.max(1, Math.min(...waits))) }
}

/** Reports whether there is no queue, and no binding suspended by one. */
function isIdle(informers: Informers): boolean {
  return informers.of(queueKind).list().length === 0 && informers.of(resourceBinding).byIndex(NOTED, 'yes').length === 0
}

/**
 * Recorded before the finalizer is removed, because a late binding may arrive before the response. Unused while the
 * queue exists.
 */
function noteEnds({ queues, steps }: ReleasePlan, { ended }: QueueMemory, at: number): void {
  const ending = new Set(steps.flatMap(({ act, details }) => (act === 'LetGo' ? [details.queue] : [])))
  for (const {
    queue: { key, spec },
  } of queues)
    if (ending.has(key)) ended.note(key, spec.onDelete ?? 'Release', at)
}

/** Reported at the start and when the workloads change. Running workloads are not stopped. */
function reportUnadmitted(
  { events, metrics }: ReconcilerContext,
  { queues }: ReleasePlan,
  { observed, memory }: { observed: Observed; memory: QueueMemory },
): void {
  metrics?.unadmitted(new Map(queues.map(({ queue }) => [queue.key, countUnadmitted(queue)])))
  const objects = new Map(observed.queues.map((queue) => [objectKey(queue), queue]))
  for (const { queue } of queues) {
    const found = unadmittedMessage(queue)
    const message = found && english.of(found)
    const object = objects.get(queue.key)
    if (message === undefined || !object) memory.unadmitted.delete(queue.key)
    else if (memory.unadmitted.get(queue.key) !== message) {
      memory.unadmitted.set(queue.key, message)
      const regarding = referenceTo(queueKind as unknown as Kind, object)
      events.record({ component: COMPONENT, type: 'Warning', reason: 'AdmissionBypassed', message, regarding })
    }
  }
}

/** Reported once per binding. They are not changed, because without the queue it is unknown whether they should run. */
function reportOrphans(
  { events }: ReconcilerContext,
  { orphans }: ReleasePlan,
  { observed, memory }: { observed: Observed; memory: QueueMemory },
): void {
  const keys = new Set(orphans.map(({ key }) => key))
  for (const known of memory.orphans) if (!keys.has(known)) memory.orphans.delete(known)
  const untold = orphans.filter(({ key }) => !memory.orphans.has(key))
  if (untold.length === 0) return
  const bindings = new Map(observed.bindings.map((binding) => [objectKey(binding), binding]))
  for (const { key, notedQueue } of untold) {
    memory.orphans.add(key)
    const message = english('queues.event.QueueMissing', { queue: notedQueue ?? '' })
    const binding = bindings.get(key)
    if (binding) {
      events.record({
        component: COMPONENT,
        type: 'Warning',
        reason: 'QueueMissing',
        message,
        regarding: referenceTo(resourceBinding as unknown as Kind, binding),
      })
    }
  }
}
