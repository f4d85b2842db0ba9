/** Judges the ready replicas of a workload during and after its move. */
import type { PlannedWorkload } from '@/lib/kube/kinds/rebalance-plan'
import { type Message, message } from '@/lib/messages/message'
import { because } from '../../plan'
import type { Binding } from '../../placement'
import { type ReportedReadiness, totalReady } from '../readiness'
import { workloadKey } from '../sync-status'
import { isOpen, type RunRecord } from './record'
import { type RunReason, type RunSnapshot, sinceKey } from './snapshot'

/**
 * How long too few replicas may be reported because of a cluster without a report. Karmada repeats a failed write within
 * seconds, and a cluster that stops answering is not ready after 30 s by its default.
 */
const UNKNOWN_FOR_MS = 60_000

/** Stands for a stage in `sinceKey`: when this process first found the ready replicas unknown. */
export const READY_UNKNOWN = 'ReadyUnknown'
const UNKNOWN_TOO_LONG = 'ReadyUnknownTooLong'

/** Reports whether the plan last found that the ready replicas of this workload are unknown. */
export const isReadyUnknown = ({ reason }: PlannedWorkload): boolean =>
  reason === READY_UNKNOWN || reason === UNKNOWN_TOO_LONG

/** `below` and `tooLong` are faults. */
export type ReadyVerdict =
  | { type: 'enough' }
  | { type: 'below' | 'tooLong'; reason: RunReason }
  | { type: 'unknown'; reason: RunReason; dueInMs: number }

interface Subject {
  entry: PlannedWorkload
  binding: Binding
  /** Absent after the move. */
  record?: RunRecord
  reported: ReportedReadiness
  floor: number
}

/** Returns how many replicas are ready at most: where that is unknown, all that ran before the move or run after it. */
export function mostReady({ binding, record, reported }: Pick<Subject, 'binding' | 'record' | 'reported'>): number {
  // Old replicas are kept until the new ones are ready, so new ones add nothing before.
  const running = record && isOpen(record) ? record.before : (binding.spec.clusters ?? [])
  const hidden = running.filter(({ name }) => reported.unknown.has(name))
  return totalReady(reported.ready) + hidden.reduce((sum, { replicas = 0 }) => sum + replicas, 0)
}

/**
 * Holds at once only if too few replicas are ready whatever the clusters without a report have: their silence is no
 * loss. It is a fault of its own if it lasts.
 */
export function assessReady(subject: Subject, snapshot: RunSnapshot): ReadyVerdict {
  const { entry, reported, floor } = subject
  const [ready, most] = [totalReady(reported.ready), mostReady(subject)]
  if (ready >= floor) return { type: 'enough' }
  if (most < floor) {
    const known = ready === most ? 'yes' : 'no'
    return { type: 'below', reason: because(message('rebalance.run.ReadyBelowBudget', { ready: most, floor, known })) }
  }
  const clusters = silentIn(subject)
  const since = snapshot.since.get(sinceKey(workloadKey(entry.workload), READY_UNKNOWN)) ?? snapshot.now
  const dueInMs = since + UNKNOWN_FOR_MS - snapshot.now
  const args = { clusters, ready, floor }
  if (dueInMs > 0) return { type: 'unknown', reason: because(message('rebalance.run.ReadyUnknown', args)), dueInMs }
  const limit = { ms: UNKNOWN_FOR_MS }
  return { type: 'tooLong', reason: because(message('rebalance.run.ReadyUnknownTooLong', { ...args, limit })) }
}

function silentIn({ binding, reported }: Subject): (Message | string)[] {
  const items = binding.status?.aggregatedStatus ?? []
  return [...reported.unknown].map((cluster) => {
    const cause = items.find(({ clusterName }) => clusterName === cluster)?.appliedMessage
    return cause ? message('rebalance.cluster.applyFailed', { cluster, message: cause }) : cluster
  })
}
