/** The views of failovers, and the journal, as schemas. They follow `failover-model.ts` and `journal.ts` to the letter. */
import { z } from 'zod'
import { described } from '../described'
import { CAUSE_CODES } from '@/lib/domain/cause/cause'
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

const incidentSchema = z
  .strictObject({ affected: count, recovered: count, secondsLeft: count.optional(), endedAt: z.string().optional() })
  .meta({ id: 'Incident', ...described('api.schema.incident') })

const failoverSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['workload', 'cluster']),
    cluster: z.string(),
    workload: z.string().optional(),
    ref: refSchema.optional(),
    cause: z.enum(['application', 'cluster', 'request']),
    stage: failoverStage,
    state: stateViewSchema,
    since: z.string().optional(),
    steps: z.array(
      z.strictObject({
        stage: failoverStage,
        state: z.union([stateSchema, z.literal('none')]),
        at: z.string().optional(),
      }),
    ),
    deadline: z.strictObject({ at: z.string(), meaning: deadlineMeaning }).optional(),
    producer: z.string().optional(),
    causes,
    reason: z.string().optional(),
    purgeMode: z.string().optional(),
    kept: z.boolean(),
    replicas: count.optional(),
    before: places.optional(),
    successors: z.array(z.strictObject({ cluster: z.string(), replicas: count.optional(), health: z.string() })),
    blockedUntil: z.string().optional(),
    actions: z.array(failoverAction),
    workloads: z.record(failoverStage, count).optional(),
    incident: incidentSchema.optional(),
  })
  .meta({ id: 'WorkloadFailover' })

export const failoverEntrySchema = z
  .strictObject({ id: z.string(), failovers: z.array(failoverSchema) })
  .meta({ id: 'Failover' })

export const failoverSummarySchema = z
  .strictObject({
    id: z.string(),
    running: count,
    clustersLost: z.array(z.string()),
    unhealthy: count,
    tolerating: count,
    evicting: count,
    replaced: count,
    kept: count,
    workloads: z
      .strictObject({ tolerating: count, evicting: count, replaced: count })
      .meta(described('api.schema.failoverSummary.workloads')),
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
    causes,
    reason: z.string().optional(),
    purgeMode: z.string().optional(),
    replicas: count.optional(),
    before: places.optional(),
    after: places.optional(),
    kept: z.boolean(),
    hasGap: z.boolean(),
    workloads: count.optional(),
    state: stateViewSchema,
  })
  .meta({ id: 'PastFailover' })

export const clusterBlockersSchema = z
  .strictObject({
    cluster: z.string(),
    reasons: z.array(z.strictObject({ reason: z.string(), message: messageSchema, workloads: z.array(z.string()) })),
  })
  .meta({ id: 'ClusterBlockers' })

export const failoverPlanSchema = z
  .strictObject({
    action: failoverAction,
    base: z.string().meta(described('api.schema.failoverPlan.base')),
    effects: z.array(messageSchema),
    warnings: z.array(messageSchema),
    losses: z
      .array(
        z.strictObject({
          id: z.string(),
          ref: refSchema,
          ready: count,
          stops: z.boolean(),
          unplaced: z.boolean(),
          reason: sentenceSchema,
        }),
      )
      .meta(described('api.schema.failoverPlan.losses')),
    before: places.optional(),
    after: places.optional(),
    object: z.strictObject({ kind: z.string(), namespace: z.string().optional(), name: z.string() }),
    patch: z.array(z.strictObject({ op: z.enum(['test', 'add']), path: z.string(), value: z.unknown() })),
    kubectl: z.string(),
  })
  .meta({ id: 'FailoverPreview' })

const entry = { seq: count, at: z.string(), late: z.literal(true).optional() }
const changed = <T extends z.ZodType>(value: T) => ({ before: value.optional(), after: value.optional() })
const readyFact = z.strictObject({
  status: z.enum(['True', 'False', 'Unknown', 'Missing']),
  reason: z.string(),
  message: z.string(),
})
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
const trigger = z.enum([...CAUSE_CODES, ...FORMER_TRIGGERS])
const inCluster = { cluster: z.string() }
const ofWorkload = { workload: z.string() }

export const journalEntrySchema = z
  .union([
    z.strictObject({ what: z.literal('ready'), ...inCluster, ...changed(readyFact), ...entry }),
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
    z.strictObject({ what: z.literal('applied'), ...ofWorkload, ...inCluster, ...changed(z.boolean()), ...entry }),
    z.strictObject({ what: z.literal('health'), ...ofWorkload, ...inCluster, ...changed(z.string()), ...entry }),
    z.strictObject({ what: z.literal('gap'), from: z.string(), why: z.enum(['stopped', 'unreachable']), ...entry }),
  ])
  .meta({ id: 'JournalEntry' })
