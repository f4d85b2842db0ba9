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

/** How far a failover is; see lib/domain/failover. */
export type { FailoverStage }

/** One stage of a failover, in their order. */
export type FailoverStepView = FailoverView['steps'][number]

/** What may be done to a failover, or to a cluster. */
export type FailoverAction = FailoverPlanView['action']

/** The failover of one workload from one cluster, or the incident of a cluster with the workloads that it affects. */
export type FailoverView = z.infer<typeof failoverSchema>

/** What the loss of a cluster cost, and how far that is made good. */
export type IncidentView = z.infer<typeof incidentSchema>

/** The failovers of one workload (`id` is its id) or of one cluster (`cluster NAME`). */
export type FailoverEntryView = z.infer<typeof failoverEntrySchema>

/** Whether a failover runs, in figures. `id` is `now`; absent only while nothing is known. */
export type FailoverSummaryView = z.infer<typeof failoverSummarySchema>

/** A completed failover, or a past incident of a cluster, from the journal. Times are RFC 3339. */
export type PastFailoverView = z.infer<typeof pastFailoverSchema>

/** What blocks the failover of the workloads of a cluster: by reason, the most frequent first. */
export type ClusterBlockersView = z.infer<typeof clusterBlockersSchema>

/** A workload that an action costs its ready replicas or its clusters. */
export type PlanLossView = FailoverPlanView['losses'][number]

/** What an action of failover would do, before it is asked for. */
export type FailoverPlanView = z.infer<typeof failoverPlanSchema>

/** How many replicas were missing in the last 24 hours, by the journal. */
export type ReadyHistoryView = z.infer<typeof readyHistorySchema>

/** What the journal holds of an outage, of the failover of one workload, or of a RebalancePlan. */
export type IncidentRecord = z.infer<typeof incidentRecordSchema>
