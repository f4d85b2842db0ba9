/** View models of rebalances: previews, plans and their runs, what-if and failback. */
import type { PlanPhase, PlanStage } from '@/lib/kube/kinds/rebalance-plan'
import type { Message } from '../messages/message'
import type { ReplicasInCluster, StateView, WorkloadRef } from './model'

export type { PlanPhase, PlanStage }

/** How far one target of a rebalance has come. Each stage implies the ones before it. */
export type RebalanceStage = 'pending' | 'triggered' | 'scheduled' | 'applied' | 'healthy' | 'failed'

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
  reason: Message | string
  /** What else the reader should know. */
  notes?: (Message | string)[]
  /** Ready replicas: now, the least to expect on the way, and the least that the budget permits. */
  ready: { now: number; lowest: number; floor: number }
  /** No cluster takes it, so the scheduler in charge removes it everywhere. */
  removed?: boolean
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
export type PlanAction = 'approve' | 'pause' | 'resume' | 'stop' | 'continue' | 'discard' | 'undo'

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
  /** How the fleet differs from the approved preview, as the status of the plan lists it. */
  changes: string[]
  /** `3 of 12`. */
  progress?: string
  wave: number
  waves: PlanWaveView[]
  counts: {
    total: number
    pending: number
    moving: number
    done: number
    skipped: number
    failed: number
    replicasMoved: number
  }
  /** What the spec asks for. */
  rollout: Message[]
  /** How often it stopped by itself. */
  holds: number
  /** Why it stands still, and since when. */
  hold?: { reason: string; message: Message | string; at: string; workload?: string }
  headroom: ClusterHeadroomView[]
  /** Replicas that ended elsewhere than predicted, and by cluster. */
  prediction?: { error: number; clusters: { cluster: string; predicted: number; actual: number }[] }
  /** The plan whose distribution this one brings back, and the plans that bring back this one's. */
  undoOf?: string
  undoneBy: string[]
  startedAt?: string
  finishedAt?: string
  actions: PlanAction[]
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
  /** `after` is one of several possible ends: it depends on how soon clusters report what went there before. */
  isOpen: boolean
  hasFailoverPolicy: boolean
}

/** What would become of the fleet without a cluster, by the real decisions on a copy of it. */
export interface WhatIfView {
  id: string
  cluster: string
  cause: 'fails' | 'drained'
  counts: Record<WhatIfTargetView['outcome'], number>
  /** Workloads whose end is one of several possible. */
  open: number
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
}
