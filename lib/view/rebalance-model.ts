/** View models of rebalances: previews, plans and their runs, what-if and failback. */
import type { z } from 'zod'
import type { Accuracy } from '@/lib/domain/rebalance/compare'
import type { PlanPhase, PlanStage } from '@/lib/kube/kinds/rebalance-plan'
import type { ReplicasInCluster } from './model'
import type { fixSchema, lossesSchema, lossSchema } from './schemas/losses'
import type {
  failbackSchema,
  lossSurveySchema,
  headroomSchema,
  planRunSchema,
  planRunTargetSchema,
  planTargetSchema,
  planWaveSchema,
  rebalanceLoadSchema,
  rebalancePlanSchema,
  rebalanceTargetSchema,
  rebalancerSchema,
  whatIfSchema,
  whatIfTargetSchema,
} from './schemas/rebalance'

export type { PlanPhase, PlanStage }

/** Progress of one target of a rebalance. Each stage implies the previous ones. */
export type RebalanceStage = RebalanceTargetView['stage']

/** One target of a WorkloadRebalancer. `id` is the workload ID. */
export type RebalanceTargetView = z.infer<typeof rebalanceTargetSchema>

/** One WorkloadRebalancer with all of its targets; the page of a rebalancer. `id` is its name. */
export type RebalancerView = z.infer<typeof rebalancerSchema>

/** A workload on its way to other clusters. `id` is the workload ID. */
export interface RebalanceMoveView {
  id: string
  before: readonly ReplicasInCluster[]
  /** As in the preview; without one, as the scheduler placed it. */
  after: readonly ReplicasInCluster[]
}

/** One WorkloadRebalancer in lists: without the details of its targets, of which there may be thousands. */
export interface RebalancerRowView extends Omit<RebalancerView, 'targets'> {
  /** The workload IDs of all targets, in the order of RebalancerView. */
  ids: string[]
  /** Targets that were triggered and are not healthy yet, if replicas of them change cluster. */
  moves: RebalanceMoveView[]
}

/** One row of a rebalance preview. */
export type PlanTargetView = z.infer<typeof planTargetSchema>

/** A rebalance preview: computed by the scheduling code on a copied snapshot. */
export type RebalancePlanView = z.infer<typeof rebalancePlanSchema>

/** One workload of a RebalancePlan, with its progress. */
export type PlanRunTargetView = z.infer<typeof planRunTargetSchema>

export type PlanWaveView = z.infer<typeof planWaveSchema>

/** Actions on a plan that currently have an effect. */
export type PlanAction = PlanRunView['actions'][number]

/** One RebalancePlan with all of its targets; the page of a plan. `id` is its name. */
export type PlanRunView = z.infer<typeof planRunSchema>

/** One RebalancePlan in lists: without the details of its targets, of which there may be a thousand. */
export interface PlanRowView extends Omit<PlanRunView, 'targets'> {
  /** The workload IDs of all targets, in the order of PlanRunView. */
  ids: string[]
  /** Targets that were triggered and are not healthy yet, if replicas of them change cluster. */
  moves: RebalanceMoveView[]
  /** Of the predictions for its targets; present when it has finished. */
  accuracy?: Accuracy
}

/** A cluster that gains replicas, and how many of them fit. */
export type ClusterHeadroomView = z.infer<typeof headroomSchema>

/** Resources of clusters before and after a rebalance. */
export type RebalanceLoadView = z.infer<typeof rebalanceLoadSchema>

/** The result for one workload without a cluster. */
export type WhatIfTargetView = z.infer<typeof whatIfTargetSchema>

/** The result for the fleet without a cluster, by the real decisions on a copy of it. */
export type WhatIfView = z.infer<typeof whatIfSchema>

/** Clusters that could fail without loss, one at a time. */
export type LossSurveyView = z.infer<typeof lossSurveySchema>

/** A change that reduces losses. */
export type FixView = z.infer<typeof fixSchema>

/** The outcome of the loss of one or more clusters. */
export type LossView = z.infer<typeof lossSchema>

/** The outcomes of losses of clusters, regions, zones and pairs of clusters. */
export type LossesView = z.infer<typeof lossesSchema>

/** Workloads that could return to a recovered cluster. */
export type FailbackView = z.infer<typeof failbackSchema>
