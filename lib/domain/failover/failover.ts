/** A failover: one workload that leaves, or has to leave, one cluster. */
import type { EvictionTiming, EvictionSettings } from '../eviction'
import type { Cluster } from '../../kube/kinds/cluster'
import type { EpochMs } from '../../std/clock'
import type { PurgeMode } from '../eviction'
import type { FailoverBinding, PolicyWords } from './binding'

/**
 * How far it is. `unhealthy`: failed, and nothing is counting (see `blockersOf`). `toleration`: put up with until the
 * deadline. `evicting`: out of the result, its copy waits for a successor. `replaced`: the successors are healthy, the copy
 * still has to go or was kept by hand. `done`: nothing is left; only a journal knows of those.
 */
export type FailoverStage = 'unhealthy' | 'toleration' | 'evicting' | 'replaced' | 'done'

/** What ends when the deadline comes. */
export type DeadlineMeaning =
  /** Failures count only from then on. */
  | 'delay'
  /** The cluster is tainted, so that workloads have to leave it. */
  | 'taint'
  /** The workload is evicted. */
  | 'toleration'
  /** The copy left behind is deleted. */
  | 'grace'
  /** The cluster may be chosen again. */
  | 'block'

/** One workload that leaves one cluster, or is about to. */
export interface Failover {
  binding: { kind: string; namespace?: string; name: string }
  resource: { apiVersion: string; kind: string; namespace?: string; name: string }
  /** The cluster that fails. */
  cluster: string
  /** The workload failed there; the cluster did; or somebody asked for it. */
  cause: 'application' | 'cluster' | 'request'
  stage: FailoverStage
  /** When the stage began, where the objects tell. */
  since?: EpochMs
  deadline?: { at: EpochMs; meaning: DeadlineMeaning }
  /** Of the eviction task. */
  producer?: string
  reason?: string
  purgeMode?: PurgeMode
  /** The copy stays until somebody releases it. */
  kept: boolean
  /** Replicas that ran, or run, in the cluster. */
  replicas?: number
  /** Where it runs instead, or besides. */
  successors: readonly { cluster: string; replicas?: number; health: string }[]
  /** The cluster is kept out until then; Infinity until somebody clears the history. */
  blockedUntil?: EpochMs
}

/** What a failover is told from. */
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
  /** Whether NoExecute taints evict. Default true. */
  noExecuteEviction?: boolean
  /** How fast they do, and how soon clusters report. Default: as upstream. */
  timing?: EvictionTiming
  /** How long a lost cluster keeps its workloads before the NoExecute taint; absent: it never gets one by itself. */
  noExecuteAfterMs?: number
  /** Whether the loop of application failover runs. Default true. */
  applicationFailover?: boolean
  /** Kinds whose health is judged by somebody's script, besides those with a built-in rule. */
  scriptedHealth?: readonly { apiVersion: string; kind: string }[]
}
