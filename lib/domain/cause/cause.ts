/** Causes of placement changes. */
import type { TaintLike } from '@/lib/kube/taint'
import type { SchedulerProfile } from '../placement'

/**
 * `plan wave` and `undo` belong to a RebalancePlan; `rebalance` is any other trigger of a reschedule. `cluster
 * failover`: a NoExecute taint. `drain`: an operator's NoExecute taint. `eviction`: an operator evicted one workload.
 * `cluster removal`: the cluster left the federation. `unseen`: the change happened while no process watched. `unknown
 * cause`: the change was observed, but no known cause preceded it.
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
  /** Object that requested the change: a WorkloadRebalancer, a RebalancePlan, or a policy. */
  object?: { kind: string; namespace?: string; name: string }
  /** Wave of a RebalancePlan. */
  wave?: number
  /** Cluster that the workload was evicted from. */
  cluster?: string
  /** Key of the taint that caused the eviction. */
  taint?: string
  /** User who requested the change, if recorded. */
  by?: string
}

/** Looks up objects other than the binding. Each function returns undefined for an object that does not exist. */
export interface CauseFacts {
  /** Deviations of the responsible scheduler from upstream. Default: the deviations of this product's scheduler. */
  profile?: SchedulerProfile | undefined
  cluster: (name: string) => CauseCluster | undefined
  plan: (name: string, uid: string) => { by?: string } | undefined
  /** Returns the user who last changed the spec of an object, if known. */
  author?: (object: {
    apiVersion: string
    kind: string
    namespace?: string | undefined
    name: string
  }) => string | undefined
  /** Returns the WorkloadRebalancer that names the workload and was created at that time, if it is the only one. */
  rebalancer: (createdAt: string) => { name: string; by?: string } | undefined
}

export interface CauseCluster {
  metadata: { name: string; annotations?: Record<string, string>; deletionTimestamp?: string }
  spec: { taints?: readonly TaintLike[] }
}
