/** View models of failovers and incidents, their history, and what blocks them. */
import type { PlacementCause } from '@/lib/domain/cause'
import type { DeadlineMeaning, FailoverStage } from '@/lib/domain/failover'
import type { ReplicasInCluster, State, StateView, WorkloadRef } from './model'
import type { Message } from '../messages/message'

/** How far a failover is; see lib/domain/failover. */
export type { FailoverStage }

/** One stage of a failover, in their order. */
export interface FailoverStepView {
  stage: FailoverStage
  /** `none`: not reached. */
  state: State | 'none'
  /** When it was reached, where that is known. */
  at?: string
}

/** What may be done to a failover, or to a cluster. */
export type FailoverAction = 'evict' | 'keep' | 'release' | 'drain' | 'undrain'

/** The failover of one workload from one cluster, or the incident of a cluster with the workloads that it affects. */
export interface FailoverView {
  /** `failover WORKLOAD CLUSTER` or `cluster NAME`. */
  id: string
  kind: 'workload' | 'cluster'
  cluster: string
  /** Workload id and what it names; absent for a cluster. */
  workload?: string
  ref?: WorkloadRef
  /** The workload failed, the cluster did, or an operator requested it. */
  cause: 'application' | 'cluster' | 'request'
  stage: FailoverStage
  state: StateView
  /** The first symptom. */
  since?: string
  steps: FailoverStepView[]
  deadline?: { at: string; meaning: DeadlineMeaning }
  producer?: string
  /** Why it had to leave; absent before the journal saw it. */
  causes?: PlacementCause[]
  reason?: string
  purgeMode?: string
  kept: boolean
  replicas?: number
  before?: ReplicasInCluster[]
  /** Where it runs instead, or besides. */
  successors: { cluster: string; replicas?: number; health: string }[]
  /** The cluster is kept out until then; `permanently` until the history is cleared. */
  blockedUntil?: string
  actions: FailoverAction[]
  /** Of a cluster: its workloads by stage. */
  workloads?: Record<FailoverStage, number>
  /** Of a cluster that is lost, or was until an hour ago. */
  incident?: IncidentView
}

/** What the loss of a cluster cost, and how far that is made good. */
export interface IncidentView {
  /** Workloads that were placed there. */
  affected: number
  /** Those of them that have all their replicas ready, in clusters that answer. */
  recovered: number
  /** Until the rest has recovered, by the rate that was seen; absent while that is not known. */
  secondsLeft?: number
  /** When the cluster was ready again, RFC 3339; absent while it is lost. */
  endedAt?: string
}

/** The failovers of one workload (`id` is its id) or of one cluster (`cluster NAME`). */
export interface FailoverEntryView {
  id: string
  failovers: FailoverView[]
}

/** Whether a failover runs, in figures. `id` is `now`; absent only while nothing is known. */
export interface FailoverSummaryView {
  id: string
  /** Failovers that run, those kept by hand not among them. */
  running: number
  /** Clusters that are not ready, by name, and failovers by stage: a workload has one for each cluster that it leaves. */
  clustersLost: string[]
  unhealthy: number
  tolerating: number
  evicting: number
  replaced: number
  kept: number
  /** Workloads with a failover that runs, each counted once: by the one of its failovers that has the furthest to go. */
  workloads: { tolerating: number; evicting: number; replaced: number }
  /** Ended within the last 24 hours. */
  done24h: number
  since?: string
}

/** A completed failover, or a past incident of a cluster, from the journal. Times are RFC 3339. */
export interface PastFailoverView {
  id: string
  kind: 'workload' | 'cluster'
  cluster: string
  workload?: string
  ref?: WorkloadRef
  unhealthySince?: string
  evictedAt?: string
  replacedAt?: string
  endedAt: string
  producer?: string
  /** Why it had to leave; absent before the journal saw it. */
  causes?: PlacementCause[]
  reason?: string
  purgeMode?: string
  replicas?: number
  before?: ReplicasInCluster[]
  after?: ReplicasInCluster[]
  kept: boolean
  /** Part of it was not observed. */
  hasGap: boolean
  /** Of a cluster: the workloads that left it. */
  workloads?: number
  /** How it ended. */
  state: StateView
}

/** What blocks the failover of the workloads of a cluster: by reason, the most frequent first. */
export interface ClusterBlockersView {
  cluster: string
  /** `message` is that of the first workload. */
  reasons: { reason: string; message: Message; workloads: string[] }[]
}

/** A workload that an action costs its ready replicas or its clusters. */
export interface PlanLossView {
  /** Workload id. */
  id: string
  ref: WorkloadRef
  /** Ready replicas before. */
  ready: number
  /** No replica of it is ready at some time on the way. */
  stops: boolean
  /** No cluster can run it. */
  unplaced: boolean
  reason: Message | string
}

/** What an action of failover would do, before it is asked for. */
export interface FailoverPlanView {
  action: FailoverAction
  /** The version of the object that this was computed from; sent back with the order. */
  base: string
  /** What will be the case. */
  effects: Message[]
  /** What should be known before. */
  warnings: Message[]
  /** Workloads that lose all their ready replicas, or have no cluster afterwards. */
  losses: PlanLossView[]
  before?: ReplicasInCluster[]
  after?: ReplicasInCluster[]
  /** The one object that is written, and what is written to it, as JSON patch. */
  object: { kind: string; namespace?: string; name: string }
  patch: { op: 'test' | 'add'; path: string; value: unknown }[]
  kubectl: string
}
