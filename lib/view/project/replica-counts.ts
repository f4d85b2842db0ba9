/** The one rule by which the replicas of a workload in one cluster are counted; ../replica-sums.ts adds them up. */
import { type ReportedReplicas, reportedReplicas } from '@/lib/domain/interpreter'
import type { AggregatedStatusItem } from '@/lib/kube/kinds/binding'
import type { ClusterView, ReplicaCounts } from '../model'
import { withoutZeros } from '../replica-sums'

export interface ReplicaFacts {
  /** The kind of the template. */
  resource: { apiVersion: string; kind: string }
  /** What the scheduler put in the cluster; 0 when the workload is leaving it. */
  desired: number
  /** What the binding says that the cluster reported. */
  report: AggregatedStatusItem | undefined
  /** The cluster does not answer: its report is old. */
  isSilent: boolean
}

/** What condition Ready of a cluster says; `Recovering` when it has been True for a moment only. */
export type Answers = ClusterView['ready'] | 'Recovering'

/** True for a cluster whose reports may not be current; readiness that the reader may not see proves nothing. */
export function isSilentCluster(answers: Answers | undefined): boolean {
  return answers !== undefined && answers !== 'True'
}

/** What the cluster reported about the replicas; a manifest that was never applied has none. */
export function replicasReported({ resource, report }: Pick<ReplicaFacts, 'resource' | 'report'>): ReportedReplicas {
  const reported = reportedReplicas(resource, report?.status)
  const isRefused = reported.type === 'none' && report?.applied === false
  return isRefused ? { type: 'counted', current: 0, ready: 0, completed: 0 } : reported
}

/**
 * Replicas of a workload in one cluster. Ready are only those that a cluster which answers reports as ready in numbers
 * that can be true; everything else that is desired is unknown. What exists beyond the desired number is old.
 */
export function countReplicas(facts: ReplicaFacts): ReplicaCounts {
  const { desired, isSilent } = facts
  const reported = replicasReported(facts)
  const counts =
    reported.type === 'counted'
      ? knownCounts(desired, reported)
      : withoutZeros({ desired, current: 0, ready: 0, unknown: desired })
  return isSilent ? silentCounts(counts) : counts
}

/** The same replicas when the cluster that reported them does not answer any more: none of it is known. */
export function silentCounts({ desired, old = 0, oldUnknown = 0 }: ReplicaCounts): ReplicaCounts {
  return withoutZeros({ desired, current: 0, ready: 0, unknown: desired, oldUnknown: old + oldUnknown })
}

/** Replicas that run come first, then those that completed, as far as replicas are desired. */
function knownCounts(
  desired: number,
  { current, ready, completed }: Extract<ReportedReplicas, { type: 'counted' }>,
): ReplicaCounts {
  const running = current - completed
  const runningReady = ready === undefined ? 0 : ready - completed
  const taken = Math.min(running, desired)
  const done = Math.min(completed, desired - taken)
  const takenReady = Math.min(runningReady, taken)
  return withoutZeros({
    desired,
    current: taken + done,
    ready: takenReady + done,
    unknown: ready === undefined ? taken : 0,
    old: running - taken,
    oldReady: runningReady - takenReady,
  })
}
