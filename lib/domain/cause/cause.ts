/** What changed a placement. */
import type { TaintLike } from '@/lib/kube/taint'
import type { SchedulerProfile } from '../placement'

/**
 * `plan wave` and `undo` are of a RebalancePlan, `rebalance` is any other trigger of a reschedule. `cluster failover`: a
 * NoExecute taint; `drain`: that of an operator. `eviction`: an operator evicted one workload. `cluster removal`: its
 * cluster left the federation. `unseen`: it happened while no process watched. `unknown cause`: it was watched, and
 * nothing that is known to change placements came before it.
 */
export const CAUSE_CODES = [
  'first placement',
  'rebalance',
  'plan wave',
  'undo',
  'cluster failover',
  'application failover',
  'drain',
  'eviction',
  'policy change',
  'scale',
  'cluster removal',
  'deletion',
  'unseen',
  'unknown cause',
] as const

export type CauseCode = (typeof CAUSE_CODES)[number]

export interface PlacementCause {
  code: CauseCode
  /** The object that asked for it: a WorkloadRebalancer, a RebalancePlan, a policy. */
  object?: { kind: string; namespace?: string; name: string }
  /** Of a RebalancePlan. */
  wave?: number
  /** The cluster that the workload had to leave. */
  cluster?: string
  /** The taint that it had to leave for, by key. */
  taint?: string
  /** The user who asked for it, where that is recorded. */
  by?: string
}

/** Where the objects besides the binding are found; each answers undefined for what is not there. */
export interface CauseFacts {
  /** How the scheduler in charge departs from upstream. Default: as ours does. */
  profile?: SchedulerProfile | undefined
  cluster: (name: string) => CauseCluster | undefined
  plan: (name: string, uid: string) => { by?: string } | undefined
  /** The user who last changed the spec of an object, where that is known. */
  author?: (object: {
    apiVersion: string
    kind: string
    namespace?: string | undefined
    name: string
  }) => string | undefined
  /** The one WorkloadRebalancer that names the workload and was created at that time. */
  rebalancer: (createdAt: string) => { name: string; by?: string } | undefined
}

export interface CauseCluster {
  metadata: { name: string; annotations?: Record<string, string>; deletionTimestamp?: string }
  spec: { taints?: readonly TaintLike[] }
}
