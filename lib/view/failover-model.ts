/** View models of failovers and incidents, their history, and what blocks them. */
import type { z } from 'zod'
import type { FailoverStage } from '@/lib/domain/failover'
import type {
  clusterBlockersSchema,
  failoverEntrySchema,
  failoverPlanSchema,
  failoverSchema,
  failoverSummarySchema,
  incidentRecordSchema,
  incidentSchema,
  pastFailoverSchema,
  readyHistorySchema,
} from './schemas/failover'

/** Stage of a failover; see lib/domain/failover. */
export type { FailoverStage }

/** One stage of a failover, in order. */
export type FailoverStepView = FailoverView['steps'][number]

/** Actions on a failover or a cluster. */
export type FailoverAction = FailoverPlanView['action']

/** The failover of one workload from one cluster, or the incident of a cluster with the workloads that it affects. */
export type FailoverView = z.infer<typeof failoverSchema>

/** The loss caused by an outage, and how much of it is recovered. */
export type IncidentView = z.infer<typeof incidentSchema>

/** The failovers of one workload (`id` is its id) or of one cluster (`cluster NAME`). */
export type FailoverEntryView = z.infer<typeof failoverEntrySchema>

/** Figures about running failovers. `id` is `now`; absent only until the first data. */
export type FailoverSummaryView = z.infer<typeof failoverSummarySchema>

/** A completed failover, or a past incident of a cluster, from the journal. Times are RFC 3339. */
export type PastFailoverView = z.infer<typeof pastFailoverSchema>

/** Blockers of the failovers of a cluster's workloads, by reason, most frequent first. */
export type ClusterBlockersView = z.infer<typeof clusterBlockersSchema>

/** A workload that loses ready replicas or its clusters because of an action. */
export type PlanLossView = FailoverPlanView['losses'][number]

/** Preview of a failover action. */
export type FailoverPlanView = z.infer<typeof failoverPlanSchema>

/** Missing replicas in the last 24 hours, from the journal. */
export type ReadyHistoryView = z.infer<typeof readyHistorySchema>

/** Journal entries of an outage, of the failover of one workload, or of a RebalancePlan. */
export type IncidentRecord = z.infer<typeof incidentRecordSchema>
