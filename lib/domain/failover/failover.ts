/** A failover: one workload that leaves, or has to leave, one cluster. */
import type { EvictionTiming, EvictionSettings } from '../eviction'
import type { Cluster } from '../../kube/kinds/cluster'
import type { EpochMs } from '../../std/clock'
import type { PurgeMode } from '../eviction'
import type { FailoverBinding, PolicyWords } from './binding'

/**
 * Its stage. `unhealthy`: failed, not counted as a failure (see `blockersOf`). `toleration`: tolerated until the deadline.
 * `evicting`: evicted, old replicas wait for the new ones. `replaced`: new replicas are healthy, old ones are to be removed
 * or kept by an operator. `done`: completed; known to the journal only.
 */
export type FailoverStage = 'unhealthy' | 'toleration' | 'evicting' | 'replaced' | 'done'

/** What ends when the deadline comes. */
export type DeadlineMeaning =
  /** Failures count only from then on. */
  | 'delay'
  /** The cluster gets a NoExecute taint, which evicts its workloads. */
  | 'taint'
  /** The workload is evicted. */
  | 'toleration'
  /** The old replicas are deleted. */
  | 'grace'
  /** The cluster may be chosen again. */
  | 'block'

/** One workload that leaves one cluster, or is about to. */
export interface Failover {
  binding: { kind: string; namespace?: string; name: string }
  resource: { apiVersion: string; kind: string; namespace?: string; name: string }
  /** The cluster that fails. */
  cluster: string
  /** The workload failed there; the cluster did; or an operator requested it. */
  cause: 'application' | 'cluster' | 'request'
  stage: FailoverStage
  /** When the stage began, where the objects tell. */
  since?: EpochMs
  deadline?: { at: EpochMs; meaning: DeadlineMeaning }
  /** Of the eviction task. */
  producer?: string
  reason?: string
  purgeMode?: PurgeMode
  /** The old replicas stay until an operator releases them. */
  kept: boolean
  /** Replicas that ran, or run, in the cluster. */
  replicas?: number
  /** Where it runs instead, or besides. */
  successors: readonly { cluster: string; replicas?: number; health: string }[]
  /** The cluster is excluded until then; Infinity: until the history is cleared. */
  blockedUntil?: EpochMs
}

/** What the failovers of a workload are read from. */
export interface FailoverSnapshot {
  binding: FailoverBinding
  clusters: readonly Cluster[]
  /** The policy that the binding was made by, for its annotation. */
  policy?: PolicyWords | undefined
  now: EpochMs
  settings?: FailoverSettings
}

/** How the loops are set; what they do by default where it is not said. */
export interface FailoverSettings extends EvictionSettings {
  /** Whether NoExecute taints evict. Absent: not known, taken to be true until an eviction is long overdue. */
  noExecuteEviction?: boolean
  /** How fast they do, and how soon clusters report. Default: as upstream. */
  timing?: EvictionTiming
  /** How long a lost cluster keeps its workloads before the NoExecute taint; absent: it never gets one by itself. */
  noExecuteAfterMs?: number
  /** Whether the loop of application failover runs. Default true. */
  applicationFailover?: boolean
  /** Kinds with a health script, besides those with a built-in rule. */
  scriptedHealth?: readonly { apiVersion: string; kind: string }[]
}
