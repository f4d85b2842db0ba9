/** The views of rebalances as schemas. They follow `rebalance-model.ts` to the letter. */
import { z } from 'zod'
import { described } from '../described'
import { planPhases, planStages } from '@/lib/kube/kinds/rebalance-plan'
import { count, messageSchema, refSchema, replicasSchema, sentenceSchema, stateViewSchema, time } from './fleet'

const places = z.array(replicasSchema)
const rebalanceStage = z.enum(['pending', 'triggered', 'scheduled', 'applied', 'healthy', 'failed'])

const rebalanceTargetSchema = z
  .strictObject({
    id: z.string(),
    ref: refSchema,
    stage: rebalanceStage,
    result: z.string().optional(),
    reason: z.string().optional(),
    state: stateViewSchema,
    before: places.optional(),
    predicted: places.optional(),
    after: places.optional(),
    moved: count.optional(),
  })
  .meta({ id: 'RebalanceTarget' })

export const rebalancerSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    createdAt: time,
    finishTime: z.string().optional(),
    ttlSecondsAfterFinished: count.optional(),
    createdBy: z.string().optional(),
    state: stateViewSchema,
    targets: z.array(rebalanceTargetSchema),
    counts: z.record(rebalanceStage, count),
  })
  .meta({ id: 'Rebalancer' })

const headroomSchema = z
  .strictObject({ cluster: z.string(), gains: count, room: z.number(), short: z.boolean() })
  .meta({ id: 'Headroom', ...described('api.schema.headroom') })

const planTargetSchema = z
  .strictObject({
    id: z.string(),
    ref: refSchema,
    verdict: z.enum(['moves', 'stays', 'refused']),
    before: places,
    after: places,
    moved: count,
    reason: sentenceSchema,
    notes: z.array(sentenceSchema).optional(),
    ready: z.strictObject({ now: count, lowest: count, floor: count }),
    removed: z.boolean().optional().meta(described('api.schema.removed')),
  })
  .meta({ id: 'RebalancePreviewTarget' })

export const rebalancePlanSchema = z
  .strictObject({
    base: z.string().meta(described('api.schema.rebalancePreview.base')),
    computedAt: time,
    targets: z.array(planTargetSchema),
    totals: z.strictObject({
      targets: count,
      moving: count,
      replicasMoved: count,
      clustersTouched: z.array(z.string()),
    }),
    headroom: z.array(headroomSchema),
    manifest: z.unknown().meta(described('api.schema.rebalancePreview.manifest')),
    kubectl: z.string(),
  })
  .meta({ id: 'RebalancePreview' })

const planRunTargetSchema = z
  .strictObject({
    id: z.string(),
    ref: refSchema,
    stage: z.enum(planStages),
    state: stateViewSchema,
    wave: count.optional(),
    before: places,
    predicted: places,
    actual: places.optional(),
    moved: count,
    predictionError: count.optional(),
    ready: z.strictObject({ floor: count.optional(), expected: count.optional(), lowest: count.optional() }),
    triggeredAt: z.string().optional(),
    finishedAt: z.string().optional(),
  })
  .meta({ id: 'RebalancePlanTarget' })

const planWaveSchema = z
  .strictObject({
    number: count,
    workloads: count,
    replicasMoved: count,
    startedAt: z.string(),
    finishedAt: z.string().optional(),
  })
  .meta({ id: 'RebalancePlanWave' })

const planCounts = z.strictObject({
  total: count,
  pending: count,
  moving: count,
  done: count,
  skipped: count,
  failed: count,
  replicasMoved: count,
})

export const planRunSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    createdAt: time,
    createdBy: z.string().optional(),
    phase: z.enum([...planPhases, 'Pending']),
    state: stateViewSchema,
    base: z.string().optional(),
    changes: z.array(z.string()),
    progress: z.string().optional(),
    wave: count,
    waves: z.array(planWaveSchema),
    counts: planCounts,
    rollout: z.array(messageSchema),
    holds: count,
    hold: z
      .strictObject({ reason: z.string(), message: sentenceSchema, at: z.string(), workload: z.string().optional() })
      .optional(),
    headroom: z.array(headroomSchema),
    prediction: z
      .strictObject({
        error: count,
        clusters: z.array(z.strictObject({ cluster: z.string(), predicted: count, actual: count })),
      })
      .optional(),
    undoOf: z.string().optional(),
    undoneBy: z.array(z.string()),
    startedAt: z.string().optional(),
    finishedAt: z.string().optional(),
    actions: z.array(z.enum(['approve', 'pause', 'resume', 'stop', 'continue', 'discard', 'undo'])),
    targets: z.array(planRunTargetSchema),
  })
  .meta({ id: 'RebalancePlan' })

const outcome = z.enum(['moves', 'shrinks', 'stuck', 'lost', 'stays'])

const whatIfTargetSchema = z
  .strictObject({
    id: z.string(),
    ref: refSchema,
    outcome,
    state: stateViewSchema,
    before: places,
    after: places,
    replicas: count,
    readyElsewhere: count,
    toleratesSeconds: z.number().optional(),
    isOpen: z.boolean(),
    hasFailoverPolicy: z.boolean(),
  })
  .meta({ id: 'WhatIfTarget' })

export const whatIfSchema = z
  .strictObject({
    id: z.string(),
    cluster: z.string(),
    cause: z.enum(['fails', 'drained']),
    counts: z.record(outcome, count),
    open: count,
    withoutFailoverPolicy: count,
    replicasMoved: count,
    headroom: z.array(headroomSchema),
    targets: z.array(whatIfTargetSchema),
  })
  .meta({ id: 'WhatIf' })

export const failbackSchema = z
  .strictObject({
    id: z.string(),
    cluster: z.string(),
    healthySince: time,
    stableAt: time,
    isStable: z.boolean(),
    left: count,
    returning: count,
    replicas: count,
  })
  .meta({ id: 'Failback' })
