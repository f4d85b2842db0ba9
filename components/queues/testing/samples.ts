/** Typed samples for tests of the queue pages. */
import { message } from '@/lib/messages'
import type { WorkloadRef } from '@/lib/view/model'
import type { HoldView, QueueDetailView, QueueView, PendingView } from '@/lib/view/queue-model'
import { workloadId } from '@/lib/view/workload-id'

/** A queue without anything particular about it. */
export function queue(given: Partial<QueueView> & { namespace: string; name: string }): QueueView {
  return {
    id: `${given.namespace}/${given.name}`,
    namespaces: [given.namespace],
    state: { state: 'ok', reason: '' },
    strategy: 'BestEffortFIFO',
    weight: 1,
    amounts: [],
    pending: 0,
    inFlight: 0,
    admitted: 0,
    onDelete: 'Release',
    deleting: false,
    slippedThrough: 0,
    createdAt: '2026-11-21T09:00:00Z',
    ...given,
  }
}

/** A hold that is effective. */
export function hold(given: Partial<HoldView> = {}): HoldView {
  return {
    state: 'effective',
    message: message('queues.hold.Effective', { held: 0, since: 'none' }),
    reason: 'maintenance',
    includePlaced: false,
    affected: 0,
    leaks: [],
    ...given,
  }
}

/** A pending Deployment of `shop`. */
export function pendingWorkload(name: string, given: Partial<PendingView> = {}): PendingView {
  const ref: WorkloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name }
  return {
    id: workloadId(ref),
    ref,
    position: 1,
    priority: 0,
    since: '2026-11-21T09:00:00Z',
    demand: [],
    reason: 'Queued',
    message: message('queues.reason.Queued', { ahead: 1 }),
    next: false,
    ...given,
  }
}

/** The page of a queue with these pending workloads. */
export function detail(row: QueueView, given: Partial<QueueDetailView> = {}): QueueDetailView {
  return {
    id: row.id,
    queue: row,
    priorityClasses: [],
    pendingWorkloads: [],
    more: 0,
    inFlight: [],
    holdPreview: { waiting: row.pending, placed: 0 },
    ...given,
  }
}
