/** A failover: one workload that leaves, or has to leave, one cluster. */
import type { EvictionTiming, EvictionSettings } from '../eviction'
import type { Cluster } from '../../kube/kinds/cluster'
import type { EpochMs } from '../../std/clock'
import type { PurgeMode } from '../eviction'
import type { FailoverBinding, PolicyWords } from './binding'

/**
 * Stage of a failover. `unhealthy`: failing, but not counted (see `blockersOf`). `toleration`: tolerated until the
 * deadline. `evicting`: evicted, old replicas stay until the new ones are healthy. `replaced`: new replicas are
 * healthy, old ones are about to be removed or kept by an operator. `done`: completed; recorded in the journal only.
 */
export type FailoverStage = 'unhealthy' | 'toleration' | 'evicting' | 'replaced' | 'done'

/** What happens at the deadline. */
export type DeadlineMeaning =
  /** Failures start to count. */
  | 'delay'
  /** The cluster gets a NoExecute taint, which evicts its workloads. */
  | 'taint'
  /** The workload is evicted. */
  | 'toleration'
  /** The old replicas are deleted. */
  | 'grace'
  /** The cluster is eligible again. */
  | 'block'

/** One workload that leaves one cluster, or is about to. */
export interface Failover {
  binding: { kind: string; namespace?: string; name: string }
  resource: { apiVersion: string; kind: string; namespace?: string; name: string }
  /** The failing cluster. */
  cluster: string
  /** What failed: the workload or the cluster; or an operator requested the failover. */
  cause: 'application' | 'cluster' | 'request'
  stage: FailoverStage
  /** When the stage began, if the objects contain it. */
  since?: EpochMs
  deadline?: { at: EpochMs; meaning: DeadlineMeaning }
  /** Producer of the eviction task. */
  producer?: string
  reason?: string
  purgeMode?: PurgeMode
  /** The old replicas stay until an operator releases them. */
  kept: boolean
  /** Replicas that ran, or run, in the cluster. */
  replicas?: number
  /** Other clusters where the workload is scheduled. */
  successors: readonly { cluster: string; replicas?: number; health: string }[]
  /** The cluster is excluded until then; Infinity: until the history is cleared. */
  blockedUntil?: EpochMs
}

/** Input from which the failovers of a workload are derived. */
export interface FailoverSnapshot {
  binding: FailoverBinding
  clusters: readonly Cluster[]
  /** The policy that created the binding, for its annotation. */
  policy?: PolicyWords | undefined
  now: EpochMs
  settings?: FailoverSettings
}

/** Settings of the controllers. Absent fields have the controllers' defaults. */
export interface FailoverSettings extends EvictionSettings {
  /** Whether NoExecute taints evict. Absent: unknown, assumed true until an eviction is long overdue. */
  noExecuteEviction?: boolean
  /** Rate of evictions and delay of cluster reports. Default: as upstream. */
  timing?: EvictionTiming
  /** Time until a lost cluster gets the NoExecute taint; absent: never automatically. */
  noExecuteAfterMs?: number
  /** Whether the application failover controller runs. Default true. */
  applicationFailover?: boolean
  /** Kinds with a health script, in addition to those with a built-in rule. */
  scriptedHealth?: readonly { apiVersion: string; kind: string }[]
}

/**
 * Whether the workloads of a failed cluster are evicted: without any act, once the cluster has a NoExecute taint, or
 * never. `unknown`: with the taint, if eviction is enabled.
 */
export type ClusterFailover = 'automatic' | 'byTaint' | 'unknown' | 'disabled'

export function clusterFailoverOf({ noExecuteEviction, noExecuteAfterMs }: FailoverSettings = {}): ClusterFailover {
  if (noExecuteEviction === undefined) return 'unknown'
  if (!noExecuteEviction) return 'disabled'
  return noExecuteAfterMs === undefined ? 'byTaint' : 'automatic'
}
