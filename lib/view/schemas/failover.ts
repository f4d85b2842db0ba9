/** Schemas of failover views and of the journal. `failover-model.ts` derives its types from them. */
import { z } from 'zod'
import { described } from '../described'
import { CAUSE_CODES } from '@/lib/domain/cause/cause'
import { FATES } from '@/lib/domain/rebalance/loss/loss'
import { RESULTS } from '@/lib/domain/rebalance/loss/results'
import { FORMER_TRIGGERS } from '../journal'
import {
  count,
  messageSchema,
  refSchema,
  sentenceSchema,
  replicasSchema,
  stateSchema,
  stateViewSchema,
  taintSchema,
} from './fleet'

const places = z.array(replicasSchema)
const causes = z
  .array(
    z.strictObject({
      code: z.enum(CAUSE_CODES),
      object: z.strictObject({ kind: z.string(), namespace: z.string().optional(), name: z.string() }).optional(),
      wave: count.optional(),
      cluster: z.string().optional(),
      taint: z.string().optional(),
      by: z.string().optional(),
    }),
  )
  .optional()
const failoverStage = z.enum(['unhealthy', 'toleration', 'evicting', 'replaced', 'done'])
const failoverAction = z.enum(['evict', 'keep', 'release', 'drain', 'undrain'])
const deadlineMeaning = z.enum(['delay', 'taint', 'toleration', 'grace', 'block'])

export const incidentSchema = z
  .strictObject({
    /** Workloads that were placed in the cluster. */
    affected: count,
    /** Those whose replicas are all ready in responding clusters. */
    recovered: count,
    /** Time until the rest has recovered at the current rate; absent if unknown. */
    secondsLeft: count.optional(),
    /** When the cluster was ready again, RFC 3339; absent while it is lost. */
    endedAt: z.string().optional(),
  })
  .meta({ id: 'Incident', ...described('api.schema.incident') })

export const failoverSchema = z
  .strictObject({
    /** `failover WORKLOAD CLUSTER` or `cluster NAME`. */
    id: z.string(),
    kind: z.enum(['workload', 'cluster']),
    cluster: z.string(),
    /** Workload ID and reference; absent for a cluster. */
    workload: z.string().optional(),
    ref: refSchema.optional(),
    /** What failed: the workload or the cluster; or an operator requested it. */
    cause: z.enum(['application', 'cluster', 'request']),
    stage: failoverStage,
    state: stateViewSchema,
    /** Time of the first symptom. */
    since: z.string().optional(),
    steps: z.array(
      z.strictObject({
        stage: failoverStage,
        /** `none`: not reached. */
        state: z.union([stateSchema, z.literal('none')]),
        /** When it was reached, if known. */
        at: z.string().optional(),
      }),
    ),
    deadline: z.strictObject({ at: z.string(), meaning: deadlineMeaning }).optional(),
    producer: z.string().optional(),
    /** Why it was evicted; absent before the journal observed it. */
    causes,
    reason: z.string().optional(),
    purgeMode: z.string().optional(),
    kept: z.boolean(),
    replicas: count.optional(),
    before: places.optional(),
    /** Other clusters where it is scheduled. */
    successors: z.array(z.strictObject({ cluster: z.string(), replicas: count.optional(), health: z.string() })),
    /** End of the cluster's exclusion; `permanently` until the history is cleared. */
    blockedUntil: z.string().optional(),
    actions: z.array(failoverAction),
    /** For a cluster: its workloads by stage. */
    workloads: z.record(failoverStage, count).optional(),
    /** For a cluster that is lost, or was until an hour ago. */
    incident: incidentSchema.optional(),
  })
  .meta({ id: 'WorkloadFailover' })

export const failoverEntrySchema = z
  .strictObject({ id: z.string(), failovers: z.array(failoverSchema) })
  .meta({ id: 'Failover' })

export const failoverSummarySchema = z
  .strictObject({
    id: z.string(),
    /** Running failovers, without those kept by an operator. */
    running: count,
    /** Names of clusters that are not ready, and failovers by stage; a workload has one per cluster that it leaves. */
    clustersLost: z.array(z.string()),
    unhealthy: count,
    tolerating: count,
    evicting: count,
    replaced: count,
    kept: count,
    /** Workloads with a running failover, counted once, by their least advanced one. */
    workloads: z
      .strictObject({ tolerating: count, evicting: count, replaced: count })
      .meta(described('api.schema.failoverSummary.workloads')),
    /** Ended within the last 24 hours. */
    done24h: count,
    since: z.string().optional(),
  })
  .meta({ id: 'FailoverSummary' })

export const pastFailoverSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['workload', 'cluster']),
    cluster: z.string(),
    workload: z.string().optional(),
    ref: refSchema.optional(),
    unhealthySince: z.string().optional(),
    evictedAt: z.string().optional(),
    replacedAt: z.string().optional(),
    endedAt: z.string(),
    producer: z.string().optional(),
    /** Why it was evicted; absent before the journal observed it. */
    causes,
    reason: z.string().optional(),
    purgeMode: z.string().optional(),
    replicas: count.optional(),
    before: places.optional(),
    after: places.optional(),
    kept: z.boolean(),
    /** Part of it was not observed. */
    hasGap: z.boolean(),
    /** For a cluster: workloads that left it. */
    workloads: count.optional(),
    /** Result of the failover. */
    state: stateViewSchema,
  })
  .meta({ id: 'PastFailover' })

export const clusterBlockersSchema = z
  .strictObject({
    cluster: z.string(),
    /** `message` is that of the first workload. */
    reasons: z.array(z.strictObject({ reason: z.string(), message: messageSchema, workloads: z.array(z.string()) })),
  })
  .meta({ id: 'ClusterBlockers' })

export const failoverPlanSchema = z
  .strictObject({
    action: failoverAction,
    base: z.string().meta(described('api.schema.failoverPlan.base')),
    /** Effects of the action. */
    effects: z.array(messageSchema),
    /** Warnings before the action. */
    warnings: z.array(messageSchema),
    /** Workloads that lose all their ready replicas, or have no cluster afterwards. */
    losses: z
      .array(
        z.strictObject({
          /** Workload id. */
          id: z.string(),
          ref: refSchema,
          /** Ready replicas before. */
          ready: count,
          /** At some time, none of its replicas is ready. */
          stops: z.boolean(),
          /** No cluster can run it. */
          unplaced: z.boolean(),
          reason: sentenceSchema,
        }),
      )
      .meta(described('api.schema.failoverPlan.losses')),
    before: places.optional(),
    after: places.optional(),
    /** The object to write, and the JSON patch. */
    object: z.strictObject({ kind: z.string(), namespace: z.string().optional(), name: z.string() }),
    patch: z.array(z.strictObject({ op: z.enum(['test', 'add']), path: z.string(), value: z.unknown() })),
    kubectl: z.string(),
  })
  .meta({ id: 'FailoverPreview' })

const entry = { seq: count, at: z.string(), late: z.literal(true).optional() }
const changed = <T extends z.ZodType>(value: T) => ({ before: value.optional(), after: value.optional() })
const amount = z.strictObject({ allocatable: z.number(), allocated: z.number() })
const loadFact = z.strictObject({ cpu: amount.optional(), memory: amount.optional(), pods: amount.optional() })
const readyFact = z.strictObject({
  status: z.enum(['True', 'False', 'Unknown', 'Missing']),
  reason: z.string(),
  message: z.string(),
})
const conditionFact = z.strictObject({ type: z.string(), status: z.enum(['True', 'False', 'Unknown']) })
const taskFact = z.strictObject({
  reason: z.string(),
  producer: z.string(),
  purgeMode: z.string().optional(),
  replicas: count.optional(),
  createdAt: z.string().optional(),
  gracePeriodSeconds: z.number().optional(),
  suppressDeletion: z.boolean().optional(),
  replaced: z.boolean(),
  causes,
})
const scheduledFact = z.strictObject({
  status: z.string(),
  reason: z.string(),
  message: z.string(),
  time: z.string().optional(),
})
/** Both RFC 3339: the trigger, and the last scheduling before its write. */
const ignoredFact = z.strictObject({ at: z.string(), scheduledAt: z.string() })
const replicasFact = z.strictObject({
  placed: count,
  ready: count,
  old: count.optional(),
  desired: count,
  copies: z.literal(true).optional(),
})
const targets = z.array(z.strictObject({ name: z.string(), replicas: count.optional() }))
const predictionFact = z.strictObject({
  since: z.string(),
  lost: z.array(z.string()),
  fate: z.enum(FATES),
  before: targets,
  /** The clusters that were predicted; those that it ended in, once that is known. */
  predicted: targets,
  evictedAfterMs: z.number().optional(),
  basis: z.string(),
  result: z.enum(RESULTS).optional(),
  actual: z.strictObject({ fate: z.enum(FATES), clusters: targets, error: count }).optional(),
})
const planAccuracy = {
  plan: z.string(),
  rebalancer: z.literal(true).optional(),
  finishedAt: z.string(),
  exact: count,
  missed: count,
  announced: count.optional(),
  misplaced: count,
}
export const planAccuraciesSchema = z.array(z.strictObject(planAccuracy))
const trigger = z.enum([...CAUSE_CODES, ...FORMER_TRIGGERS])
const inCluster = { cluster: z.string() }
const ofWorkload = { workload: z.string() }

export const journalEntrySchema = z
  .union([
    z.strictObject({ what: z.literal('ready'), ...inCluster, ...changed(readyFact), ...entry }),
    z.strictObject({ what: z.literal('load'), ...inCluster, ...changed(loadFact), ...entry }),
    z.strictObject({ what: z.literal('condition'), ...inCluster, ...changed(conditionFact), ...entry }),
    z.strictObject({ what: z.literal('taint'), ...inCluster, ...changed(taintSchema), ...entry }),
    z.strictObject({ what: z.literal('task'), ...ofWorkload, ...inCluster, ...changed(taskFact), ...entry }),
    z.strictObject({
      what: z.literal('placement'),
      trigger,
      causes,
      ...ofWorkload,
      before: places,
      after: places,
      ...entry,
    }),
    z.strictObject({ what: z.literal('scheduled'), ...ofWorkload, ...changed(scheduledFact), ...entry }),
    z.strictObject({ what: z.literal('ignored'), ...ofWorkload, ...changed(ignoredFact), ...entry }),
    z.strictObject({ what: z.literal('applied'), ...ofWorkload, ...inCluster, ...changed(z.boolean()), ...entry }),
    z.strictObject({ what: z.literal('health'), ...ofWorkload, ...inCluster, ...changed(z.string()), ...entry }),
    z.strictObject({ what: z.literal('replicas'), ...ofWorkload, ...inCluster, ...changed(replicasFact), ...entry }),
    z.strictObject({
      what: z.literal('prediction'),
      ...ofWorkload,
      ...inCluster,
      ...changed(predictionFact),
      ...entry,
    }),
    z.strictObject({ what: z.literal('resilience'), before: count.optional(), after: count, ...entry }),
    z.strictObject({ what: z.literal('accuracy'), ...planAccuracy, ...entry }),
    z.strictObject({
      what: z.literal('gap'),
      from: z.string(),
      why: z.enum(['stopped', 'unreachable', 'unrecorded']),
      ...entry,
    }),
  ])
  .meta({ id: 'JournalEntry' })

export const readyHistorySchema = z
  .strictObject({
    /** Milliseconds since the epoch, like all times in it. */
    since: z.number(),
    until: z.number(),
    /** Ready replicas of all workloads at `until`. */
    ready: count,
    /** Desired replicas that were not ready in a responding cluster; each value is valid until the next. */
    points: z.array(z.strictObject({ at: z.number(), missing: count })),
    /** Times without observation. */
    gaps: z.array(z.strictObject({ from: z.number(), to: z.number() })),
  })
  .meta({ id: 'ReadyHistory', ...described('api.schema.readyHistory') })

export const incidentRecordSchema = z
  .strictObject({
    /** The cluster that failed, or that the workload left; absent for a plan. */
    cluster: z.string().optional(),
    workload: z.string().optional(),
    /** Start and end, RFC 3339; `endedAt` is absent while it runs. */
    since: z.string(),
    endedAt: z.string().optional(),
    /** Server time; all times of the record are in its clock. */
    now: z.string(),
    /** Condition Ready of clusters before the first entry. */
    readiness: z.record(z.string(), z.enum(['True', 'False', 'Unknown', 'Missing'])),
    /** Workloads are omitted because the reader may not view them. */
    partial: z.boolean(),
    /** More was recorded than is sent: nothing is known after the last entry. */
    truncated: z.boolean(),
    /** Oldest first; with `after`, only later ones. */
    entries: z.array(journalEntrySchema),
  })
  .meta({ id: 'IncidentRecord', ...described('api.schema.incidentRecord') })
