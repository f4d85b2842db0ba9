/** Decides whether the results of a WorkloadRebalancer fit into it. */
import { isTooLarge } from '@/lib/kube/object-size'
import { type RebalancerStatus, type Subject, syncStatus } from './sync-status'
import { isPending } from './trigger'

/** The longest result. */
const FAILED = { result: 'Failed', reason: 'ReferencedBindingNotFound' } as const
/** What servers add to metadata and what a write of the status adds: identity, versions, field managers. */
const WRITTEN_BESIDES = ' '.repeat(4096)

/**
 * Reports whether a server stores the rebalancer with a result for each of its workloads, whatever these are. Otherwise
 * its workloads would be rescheduled, and it could never report that. `synced`: the status from which a reconcile starts.
 */
export function hasRoomForResults(rebalancer: Subject, synced: RebalancerStatus = syncStatus(rebalancer)): boolean {
  const { observedWorkloads = [], ...status } = synced
  const reported = observedWorkloads.map((observed) => (isPending(observed) ? { ...observed, ...FAILED } : observed))
  return !isTooLarge(
    JSON.stringify({ ...rebalancer, status: { ...status, observedWorkloads: reported } }) + WRITTEN_BESIDES,
  )
}
