/**
 * View models: what the console shows, already decided, in plain data. The server projects caches into these
 * (lib/view/project), the browser only draws them. Unchanged input gives the same object again.
 */

import type { DeadlineMeaning, FailoverStage } from '@/lib/domain/failover'
import type { PlanPhase, PlanStage } from '@/lib/kube/kinds/rebalance-plan'

export type { PlanPhase, PlanStage }

/** The six states of the design language; the word for each is in lib/format. Always shown as shape + word. */
export type State = 'ok' | 'active' | 'warn' | 'fail' | 'held' | 'unknown'

/** A state with the sentence that explains it. */
export interface StateView {
  state: State
  /** One sentence for people, naming numbers and causes: "2 of 12 short in eu-3". */
  reason: string
}

/** Amounts of one resource in one cluster, in base units: milli-CPU, bytes, pods. */
export interface CapacityView {
  allocatable: number
  allocated: number
  /** Requested by pods that have no node yet. */
  allocating: number
}

export interface TaintView {
  key: string
  value?: string
  effect: string
  timeAdded?: string
}

export interface ConditionView {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason: string
  message: string
  lastTransitionTime: string
}

/** One member cluster. `id` is its name. */
export interface ClusterView {
  id: string
  name: string
  state: StateView
  ready: 'True' | 'False' | 'Unknown' | 'Missing'
  /** When `ready` last changed. */
  readySince?: string
  provider?: string
  region?: string
  zones: string[]
  kubernetesVersion?: string
  syncMode: string
  /** True for a member that the embedded control plane simulates. */
  simulated: boolean
  nodes?: { ready: number; total: number }
  cpu?: CapacityView
  memory?: CapacityView
  pods?: CapacityView
  taints: TaintView[]
  conditions: ConditionView[]
  /** Workloads scheduled to this cluster, and the replicas wanted there. */
  workloads: number
  replicas: number
  deleting: boolean
}

/** One workload in one cluster: a cell of the fleet matrix. */
export interface CellView {
  cluster: string
  /** Replicas the scheduler put here; 0 when the workload is leaving. */
  wants: number
  /** Replicas that exist in the member as last reported; absent when nothing was reported. */
  now?: number
  ready?: number
  /**
   * `placed`: in spec.clusters. `evicting`: a graceful eviction task holds the copy. `leaving`: a Work remains although
   * the cluster is no longer wanted.
   */
  role: 'placed' | 'evicting' | 'leaving'
  applied: boolean
  health: 'Healthy' | 'Unhealthy' | 'Unknown'
  state: StateView
}

export type DivisionStrategy = 'Duplicated' | 'StaticWeight' | 'DynamicWeight' | 'Aggregated' | 'NotDivided'

/** The object that a binding is about. */
export interface WorkloadRef {
  apiVersion: string
  kind: string
  /** Absent when cluster-scoped. */
  namespace?: string
  name: string
}

/**
 * One propagated template with its binding. `id` is `apiVersion/kind/namespace/name` with `-` for no namespace and `~`
 * for slashes inside apiVersion.
 */
export interface WorkloadView {
  id: string
  ref: WorkloadRef
  binding: { kind: 'ResourceBinding' | 'ClusterResourceBinding'; namespace?: string; name: string }
  policy?: { kind: 'PropagationPolicy' | 'ClusterPropagationPolicy'; namespace?: string; name: string }
  strategy: DivisionStrategy
  /** False for templates without replicas (a ClusterRole): counts below are then numbers of clusters. */
  hasReplicas: boolean
  /** Sums over the cells; `wants` is what the template asks for (times clusters when Duplicated). */
  wants: number
  now: number
  ready: number
  /** Sorted by cluster name. */
  cells: CellView[]
  state: StateView
  suspended: { scheduling: boolean; dispatching: boolean }
  scheduled?: ConditionView
  fullyApplied?: ConditionView
  lastScheduledTime?: string
  rescheduleTriggeredAt?: string
  createdAt: string
}

export interface EvictionTaskView {
  fromCluster: string
  replicas?: number
  reason: string
  message?: string
  producer: string
  purgeMode?: string
  createdAt?: string
  gracePeriodSeconds?: number
  suppressDeletion?: boolean
}

/** One override rule that was applied to the copy in a cluster. */
export interface OverrideView {
  cluster: string
  policy: { kind: 'OverridePolicy' | 'ClusterOverridePolicy'; name: string }
  /** One sentence for each change. */
  changes: string[]
}

/** Something that happened, newest first in lists. `id` is stable. */
export interface TimelineEntryView {
  id: string
  at: string
  /** Where it comes from. */
  source: 'event' | 'condition' | 'eviction' | 'rebalance' | 'placement'
  state: State
  title: string
  detail: string
  cluster?: string
  count?: number
}

/** All of one workload: what its page shows. */
export interface WorkloadDetailView extends WorkloadView {
  conditions: ConditionView[]
  evictionTasks: EvictionTaskView[]
  overrides: OverrideView[]
  timeline: TimelineEntryView[]
  /** The applied placement in words, one line each. */
  placement: string[]
  /** Per cluster: fits or the rule that rejects it, score, capacity, from the real scheduling code. */
  why: WhyView[]
  /** Why no failover happens to it, or what one waits for. */
  inaction: InactionView[]
  /** The binding as the API returns it, for the YAML tab. */
  bindingObject: unknown
}

/** Why a cluster has or has not the workload, were it scheduled afresh now. */
export interface WhyView {
  cluster: string
  fits: boolean
  sentence: string
  score?: number
  /** More replicas that it could take. */
  capacity?: number
  /** Its part in the division of replicas, where they were divided by weight. */
  weight?: number
  /** Replicas that it would get. */
  replicas?: number
}

/** How far one target of a rebalance has come. Each stage implies the ones before it. */
export type RebalanceStage = 'pending' | 'triggered' | 'scheduled' | 'applied' | 'healthy' | 'failed'

export interface ReplicasInCluster {
  cluster: string
  replicas: number
}

/** One target of a WorkloadRebalancer. `id` is the workload id. */
export interface RebalanceTargetView {
  id: string
  ref: WorkloadRef
  stage: RebalanceStage
  /** What the API says ("Successful" means only that the trigger was written). */
  result?: string
  reason?: string
  state: StateView
  /** Where it was when the rebalance was asked for, as the console recorded it; absent for foreign rebalancers. */
  before?: ReplicasInCluster[]
  /** What the preview predicted. */
  predicted?: ReplicasInCluster[]
  after?: ReplicasInCluster[]
  /** Replicas that changed cluster between `before` and `after`. */
  moved?: number
}

/** One WorkloadRebalancer. `id` is its name. */
export interface RebalancerView {
  id: string
  name: string
  createdAt: string
  finishTime?: string
  ttlSecondsAfterFinished?: number
  createdBy?: string
  state: StateView
  targets: RebalanceTargetView[]
  counts: Record<RebalanceStage, number>
}

/** One row of a rebalance preview. */
export interface PlanTargetView {
  id: string
  ref: WorkloadRef
  verdict: 'moves' | 'stays' | 'refused'
  before: ReplicasInCluster[]
  after: ReplicasInCluster[]
  moved: number
  /** Why it moves there, or why it will not move. */
  reason: string
  /** Ready replicas: now, the least to expect on the way, and the least that the budget permits. */
  ready: { now: number; lowest: number; floor: number }
}

/** A rebalance preview: computed by the scheduling code on a copied snapshot. */
export interface RebalancePlanView {
  /** Identifies the state of the world that the plan was computed from; sent back on apply. */
  base: string
  computedAt: string
  targets: PlanTargetView[]
  totals: { targets: number; moving: number; replicasMoved: number; clustersTouched: string[] }
  /** Clusters that gain replicas, and whether they have room for all of them together. */
  headroom: ClusterHeadroomView[]
  /** The exact object that confirming creates. */
  manifest: unknown
  kubectl: string
}

/** A RebalancePlan, the durable run of a rebalance: how far one workload of it has come. */
export interface PlanRunTargetView {
  id: string
  ref: WorkloadRef
  stage: PlanStage
  state: StateView
  wave?: number
  before: ReplicasInCluster[]
  predicted: ReplicasInCluster[]
  actual?: ReplicasInCluster[]
  /** Replicas that change cluster. */
  moved: number
  /** Replicas that ended elsewhere than predicted; absent until it is known. */
  predictionError?: number
  /** Ready replicas: the least that the budget permits, that was expected, and that was seen. */
  ready: { floor?: number; expected?: number; lowest?: number }
  triggeredAt?: string
  finishedAt?: string
}

export interface PlanWaveView {
  number: number
  workloads: number
  replicasMoved: number
  startedAt: string
  finishedAt?: string
}

/** What may be done to a run now; the others would change nothing. */
export type PlanAct = 'approve' | 'pause' | 'resume' | 'stop' | 'continue' | 'discard' | 'undo'

/** One RebalancePlan. `id` is its name. */
export interface PlanRunView {
  id: string
  name: string
  createdAt: string
  createdBy?: string
  phase: PlanPhase | 'Pending'
  state: StateView
  /** What is approved or may be approved; see RebalancePlanView.base. */
  base?: string
  /** How the world differs from what was approved. */
  changes: string[]
  /** `3 of 12`. */
  progress?: string
  wave: number
  waves: PlanWaveView[]
  counts: { total: number; pending: number; moving: number; done: number; skipped: number; failed: number; replicasMoved: number }
  /** What was asked for, one line each. */
  manner: string[]
  /** How often it stopped by itself. */
  holds: number
  /** Why it stands still, and since when. */
  hold?: { reason: string; message: string; at: string; workload?: string }
  headroom: ClusterHeadroomView[]
  /** Replicas that ended elsewhere than predicted, and by cluster. */
  prediction?: { error: number; clusters: { cluster: string; predicted: number; actual: number }[] }
  /** The plan whose distribution this one brings back, and the plans that bring back this one's. */
  undoOf?: string
  undoneBy: string[]
  startedAt?: string
  finishedAt?: string
  acts: PlanAct[]
  targets: PlanRunTargetView[]
}

/** A cluster that gains replicas, and how many it has room for. */
export interface ClusterHeadroomView {
  cluster: string
  gains: number
  room: number
  short: boolean
}

/** What one workload would do without a cluster. */
export interface WhatIfTargetView {
  id: string
  ref: WorkloadRef
  outcome: 'moves' | 'shrinks' | 'stuck' | 'lost' | 'stays'
  state: StateView
  before: ReplicasInCluster[]
  after: ReplicasInCluster[]
  /** Replicas in the cluster now, and those that stay ready in others meanwhile. */
  replicas: number
  readyElsewhere: number
  /** How long it waits for the cluster before it leaves; absent when it leaves at once, or never. */
  toleratesSeconds?: number
  hasFailoverPolicy: boolean
}

/** What would become of the fleet without a cluster, by the real decisions on a copy of it. */
export interface WhatIfView {
  id: string
  cluster: string
  cause: 'fails' | 'drained'
  counts: Record<WhatIfTargetView['outcome'], number>
  withoutFailoverPolicy: number
  replicasMoved: number
  headroom: ClusterHeadroomView[]
  /** The most troubled first. */
  targets: WhatIfTargetView[]
}

/** What could return to a cluster that is well again. */
export interface FailbackView {
  id: string
  cluster: string
  healthySince: string
  stableAt: string
  /** Well for long enough to be trusted. */
  isStable: boolean
  /** Workloads that had to leave it, those that would return now, and their replicas. */
  left: number
  returning: number
  replicas: number
  text: string
}

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
export type FailoverAct = 'evict' | 'keep' | 'release' | 'drain' | 'undrain'

/** One workload that leaves one cluster, or is about to; or a cluster in trouble, with the workloads that it concerns. */
export interface FailoverStoryView {
  /** `story WORKLOAD CLUSTER` or `cluster NAME`. */
  id: string
  kind: 'workload' | 'cluster'
  cluster: string
  /** Workload id and what it names; absent for a cluster. */
  workload?: string
  ref?: WorkloadRef
  /** The workload failed, the cluster did, or somebody asked for it. */
  cause: 'application' | 'cluster' | 'request'
  stage: FailoverStage
  state: StateView
  /** The first symptom. */
  since?: string
  steps: FailoverStepView[]
  deadline?: { at: string; meaning: DeadlineMeaning }
  producer?: string
  reason?: string
  purgeMode?: string
  kept: boolean
  replicas?: number
  before?: ReplicasInCluster[]
  /** Where it runs instead, or besides. */
  successors: { cluster: string; replicas?: number; health: string }[]
  /** The cluster is kept out until then; `for ever` until somebody clears the history. */
  blockedUntil?: string
  acts: FailoverAct[]
  /** Of a cluster: its workloads by stage. */
  workloads?: Record<FailoverStage, number>
}

/** The stories of one workload (`id` is its id) or of one cluster (`cluster NAME`). */
export interface FailoverEntryView {
  id: string
  stories: FailoverStoryView[]
}

/** Whether a failover runs, in figures. `id` is `now`; absent only while nothing is known. */
export interface FailoverSummaryView {
  id: string
  /** Failovers that run, those kept by hand not among them. */
  running: number
  /** Clusters that are not ready, by name, and workloads by what they do. */
  clustersLost: string[]
  unhealthy: number
  tolerating: number
  evicting: number
  replaced: number
  kept: number
  /** Ended within the last 24 hours. */
  done24h: number
  since?: string
}

/** A failover, or an outage of a cluster, that is over: as the journal tells it. Times are RFC 3339. */
export interface PastStoryView {
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
  reason?: string
  purgeMode?: string
  replicas?: number
  before?: ReplicasInCluster[]
  after?: ReplicasInCluster[]
  kept: boolean
  /** Part of it happened while nobody watched. */
  hasGap: boolean
  /** Of a cluster: the workloads that left it. */
  workloads?: number
  /** How it ended. */
  state: StateView
}

/** Why nothing happens to a workload. */
export interface InactionView {
  /** A word of lib/domain/failover, for machines. */
  reason: string
  cluster?: string
  sentence: string
  until?: string
}

/** Why the workloads of a cluster are still there: by reason, the most frequent first. */
export interface InactionsView {
  cluster: string
  /** `sentence` is that of the first workload. */
  reasons: { reason: string; sentence: string; workloads: string[] }[]
}

/** What an act of failover would do, before it is asked for. */
export interface FailoverPlanView {
  act: FailoverAct
  /** The version of the object that this was computed from; sent back with the order. */
  base: string
  /** What will be the case, one sentence each. */
  effects: string[]
  /** What should be known before. */
  warnings: string[]
  before?: ReplicasInCluster[]
  after?: ReplicasInCluster[]
  /** The one object that is written, and what is written to it, as JSON patch. */
  object: { kind: string; namespace?: string; name: string }
  patch: { op: 'test' | 'add'; path: string; value: unknown }[]
  kubectl: string
}

/** What control plane this console looks at, and what was found there. */
export interface AboutView {
  mode: 'embedded' | 'connected'
  server: string
  version?: string
  user?: string
  kinds: { kind: string; resource: string; served: boolean; readable: boolean; note?: string }[]
  reconcilers: { name: string; running: boolean; leader: boolean }[]
  missing: string[]
}
