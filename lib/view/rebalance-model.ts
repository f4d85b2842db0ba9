/** View models of rebalances: previews, plans and their runs, what-if and failback. */
import type { z } from 'zod'
import type { PlanPhase, PlanStage } from '@/lib/kube/kinds/rebalance-plan'
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

/** How far one target of a rebalance has come. Each stage implies the ones before it. */
export type RebalanceStage = RebalanceTargetView['stage']

/** One target of a WorkloadRebalancer. `id` is the workload id. */
export type RebalanceTargetView = z.infer<typeof rebalanceTargetSchema>

/** One WorkloadRebalancer. `id` is its name. */
export type RebalancerView = z.infer<typeof rebalancerSchema>

/** One row of a rebalance preview. */
export type PlanTargetView = z.infer<typeof planTargetSchema>

/** A rebalance preview: computed by the scheduling code on a copied snapshot. */
export type RebalancePlanView = z.infer<typeof rebalancePlanSchema>

/** A RebalancePlan, the durable run of a rebalance: how far one workload of it has come. */
export type PlanRunTargetView = z.infer<typeof planRunTargetSchema>

export type PlanWaveView = z.infer<typeof planWaveSchema>

/** What may be done to a run now; the others would change nothing. */
export type PlanAction = PlanRunView['actions'][number]

/** One RebalancePlan. `id` is its name. */
export type PlanRunView = z.infer<typeof planRunSchema>

/** A cluster that gains replicas, and how many it has room for. */
export type ClusterHeadroomView = z.infer<typeof headroomSchema>

/** Resources of clusters before and after a rebalance. */
export type RebalanceLoadView = z.infer<typeof rebalanceLoadSchema>

/** What one workload would do without a cluster. */
export type WhatIfTargetView = z.infer<typeof whatIfTargetSchema>

/** What would become of the fleet without a cluster, by the real decisions on a copy of it. */
export type WhatIfView = z.infer<typeof whatIfSchema>

/** Which clusters could fail without loss, one at a time. */
export type LossSurveyView = z.infer<typeof lossSurveySchema>

/** A change that makes losses cost less. */
export type FixView = z.infer<typeof fixSchema>

/** What the loss of one or more clusters costs. */
export type LossView = z.infer<typeof lossSchema>

/** What the losses of clusters, regions, zones and pairs of clusters cost. */
export type LossesView = z.infer<typeof lossesSchema>

/** What could return to a cluster that is well again. */
export type FailbackView = z.infer<typeof failbackSchema>
