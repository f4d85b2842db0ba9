/** Carries out a plan. The server rejects every write whose object changed after the decision. */
import { HELD_PLACED_ANNOTATION, QUEUE_FIELD_MANAGER, type QueueStep, type ReleasePlan } from '@/lib/domain/queue'
import { hasBeenScheduled } from '@/lib/kube/admission/suspension'
import { isConflict, isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { queue as queueKind, type QueueObject } from '@/lib/kube/kinds/queue'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { keyOf, type KubeObject, objectKey } from '@/lib/kube/object'
import { english } from '@/lib/messages/english'
import { mapBounded } from '@/server/runtime/bounded'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import type { OwnWrites, QueueMemory } from './memory'
import type { Observed } from './observe'
import { COMPONENT, newsOf } from './reasons'

/** Result of carrying out the steps. */
export interface Outcome {
  /** The most important error: a real one before a conflict. */
  error?: unknown
}

interface Acting {
  context: ReconcilerContext
  memory: QueueMemory
  queues: ReadonlyMap<string, QueueObject>
  bindings: ReadonlyMap<string, ResourceBinding>
}

/**
 * Carries out the steps of each queue in order, several queues concurrently. A failure in one queue does not stop the
 * others. In a StrictFIFO queue no admission overtakes a failed one.
 */
export async function carryOut(
  context: ReconcilerContext,
  plan: ReleasePlan,
  { observed, memory, concurrency }: { observed: Observed; memory: QueueMemory; concurrency: number },
): Promise<Outcome> {
  if (plan.steps.length === 0) return {}
  const touched = new Set(plan.steps.map(({ details }) => keyOf(details)))
  const acting: Acting = {
    context,
    memory,
    queues: new Map(observed.queues.map((queue) => [objectKey(queue), queue])),
    bindings: new Map(
      observed.bindings.flatMap((binding) =>
        touched.has(objectKey(binding)) ? [[objectKey(binding), binding] as const] : [],
      ),
    ),
  }
  const strict = new Set(plan.queues.flatMap(({ queue }) => (queue.strategy === 'StrictFIFO' ? [queue.key] : [])))
  const byQueue = Map.groupBy(plan.steps, ({ details }) => details.queue)
  const errors = (
    await mapBounded([...byQueue], concurrency, ([queue, steps]) => carryOutQueue(acting, steps, strict.has(queue)))
  ).flat()
  const error = errors.find((each) => !isConflict(each)) ?? errors[0]
  return error === undefined ? {} : { error }
}

/** Returns the errors. */
async function carryOutQueue(acting: Acting, steps: readonly QueueStep[], strict: boolean): Promise<unknown[]> {
  const errors: unknown[] = []
  let blocked = false
  for (const step of steps) {
    if (blocked && step.act === 'Release') continue
    try {
      await carryOutStep(acting, step)
    } catch (error) {
      // A deleted object needs no write.
      if (isNotFound(error)) continue
      errors.push(error)
      blocked ||= strict && step.act === 'Release'
    }
  }
  return errors
}

function carryOutStep(acting: Acting, step: QueueStep): Promise<void> {
  const { memory, queues, bindings } = acting
  return step.details.object === 'queue'
    ? write(acting, step, { kind: queueKind, known: queues, own: memory.queues })
    : write(acting, step, { kind: resourceBinding, known: bindings, own: memory.bindings })
}

interface Target<T extends KubeObject> {
  kind: Kind<T>
  known: ReadonlyMap<string, T>
  own: OwnWrites<T>
}

async function write<T extends KubeObject>(
  { context }: Acting,
  step: QueueStep,
  { kind, known, own }: Target<T>,
): Promise<void> {
  const { namespace, name, patch } = step.details
  const ref = { namespace, name }
  const observed = known.get(keyOf(ref))
  // An earlier step may have written the same object; this write then follows that one.
  const before = observed && own.latest(observed)
  const resourceVersion = before?.metadata.resourceVersion ?? patch.metadata.resourceVersion
  const value = { ...patch, metadata: { ...patch.metadata, ...acknowledgement(step, before), resourceVersion } }
  const written = await context.client.patch(kind, ref, { type: 'merge', value }, { fieldManager: QUEUE_FIELD_MANAGER })
  if (before) own.note(before, written)
  const news = newsOf(step)
  if (!news) return
  const regarding = referenceTo(kind as unknown as Kind, written)
  context.events.record({ component: COMPONENT, ...news, message: english.of(step.reason.text), regarding })
}

/**
 * Admission requires this annotation on a binding that was scheduled before, is placed nowhere now, and is queued
 * again.
 */
function acknowledgement({ act, details }: QueueStep, before: KubeObject | undefined): { annotations?: object } {
  if (act !== 'Suspend' || !before || !hasBeenScheduled(before as ResourceBinding)) return {}
  return {
    annotations: { ...(details.patch.metadata['annotations'] as object), [HELD_PLACED_ANNOTATION]: details.queue },
  }
}
