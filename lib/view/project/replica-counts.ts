/** Counts the replicas of a workload in one cluster, the only place that does; ../replica-sums.ts sums them. */
import { type ReportedReplicas, reportedReplicas } from '@/lib/domain/interpreter'
import type { AggregatedStatusItem } from '@/lib/kube/kinds/binding'
import type { ClusterView, ReplicaCounts } from '../model'
import { withoutZeros } from '../replica-sums'

export interface ReplicaFacts {
  /** Kind of the template. */
  resource: { apiVersion: string; kind: string }
  /** Replicas assigned by the scheduler; 0 if the workload leaves the cluster. */
  desired: number
  /** The cluster's report in the binding. */
  report: AggregatedStatusItem | undefined
  /** The cluster does not respond: its report is outdated. */
  isSilent: boolean
}

/** Status of a cluster's Ready condition; `Recovering` if it became True very recently. */
export type Answers = ClusterView['ready'] | 'Recovering'

/**
 * Reports whether a cluster's reports may be outdated. Unknown readiness (which the reader may not view) does not
 * count.
 */
export function isSilentCluster(answers: Answers | undefined): boolean {
  return answers !== undefined && answers !== 'True'
}

/** Returns the reported replicas; a manifest that was never applied has none. */
export function replicasReported({ resource, report }: Pick<ReplicaFacts, 'resource' | 'report'>): ReportedReplicas {
  const reported = reportedReplicas(resource, report?.status)
  const isRefused = reported.type === 'none' && report?.applied === false
  return isRefused ? { type: 'counted', current: 0, ready: 0, completed: 0 } : reported
}

/**
 * Counts the replicas of a workload in one cluster. Only replicas that a responding cluster reports as ready in valid
 * numbers count as ready; all other desired ones are unknown. Existing replicas in excess of the desired number are
 * old.
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

/** Returns the counts for a cluster that does not respond any more: nothing is known. */
export function silentCounts({ desired, old = 0, oldUnknown = 0 }: ReplicaCounts): ReplicaCounts {
  return withoutZeros({ desired, current: 0, ready: 0, unknown: desired, oldUnknown: old + oldUnknown })
}

/** Running replicas count first, then completed ones, up to the desired number. */
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
