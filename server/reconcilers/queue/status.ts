/** Writes the status of queues at a limited rate. */
import { queueStatusOf, type ReleasePlan } from '@/lib/domain/queue'
import { isNotFound } from '@/lib/kube/errors'
import { queue as queueKind, type QueueObject, type QueueStatus } from '@/lib/kube/kinds/queue'
import { objectKey } from '@/lib/kube/object'
import { english } from '@/lib/messages/english'
import { deepEqual } from '@/lib/std/equal'
import type { KubeClient } from '@/server/kube/client'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { replaceStatus } from '../shared/object-writes'
import type { QueueMemory } from './memory'

/** Records the start of a staged resume in the status before any workload is admitted. */
export async function recordBeginnings(
  { client }: ReconcilerContext,
  plan: ReleasePlan,
  { queues, memory }: Pick<Reporting, 'queues' | 'memory'>,
): Promise<void> {
  const beginning = new Set(
    plan.queues.flatMap(({ queue, hold }) =>
      hold.state === 'Resuming' && queue.status?.hold?.state !== 'Resuming' ? [queue.key] : [],
    ),
  )
  for (const queue of queues.filter((each) => beginning.has(objectKey(each)))) {
    const status = queueStatusOf(plan, objectKey(queue), english.of)
    if (status) await write(client, queue, { status, memory })
  }
}

export interface Reporting {
  queues: readonly QueueObject[]
  memory: QueueMemory
  /** Queues with steps in progress, whose status is written after the next plan. */
  unfinished: ReadonlySet<string>
}

/** Returns the time until a postponed status may be written; undefined if all are up to date. */
export async function report(
  { client, clock }: ReconcilerContext,
  plan: ReleasePlan,
  { queues, memory, unfinished }: Reporting,
): Promise<number | undefined> {
  const waits: number[] = []
  for (const queue of queues) {
    const key = objectKey(queue)
    if (unfinished.has(key)) continue
    const status = queueStatusOf(plan, key, english.of)
    if (!status || deepEqual(status, queue.status)) continue
    const waitMs = isUrgent(queue.status, status) ? 0 : memory.reports.waitMs(key, clock.elapsed())
    if (waitMs > 0) {
      waits.push(waitMs)
      continue
    }
    await write(client, queue, { status, memory })
    memory.reports.happened(key, clock.elapsed())
  }
  memory.reports.keep(new Set(queues.map(objectKey)))
  return waits.length > 0 ? Math.min(...waits) : undefined
}

/** Changes of a hold are urgent, because users wait for its effect and its record must not be lost; counts are not. */
function isUrgent(before: QueueStatus = {}, after: QueueStatus): boolean {
  return (['hold', 'lastHold', 'conditions'] as const).some((field) => !deepEqual(before[field], after[field]))
}

async function write(
  client: KubeClient,
  queue: QueueObject,
  { status, memory }: { status: QueueStatus; memory: QueueMemory },
): Promise<void> {
  try {
    const written = await replaceStatus(client, queueKind, { object: queue, status })
    if (written) memory.queues.note(memory.queues.latest(queue), written)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
