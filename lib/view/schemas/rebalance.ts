/** The views of rebalances as schemas. `rebalance-model.ts` derives its types from them. */
import { z } from 'zod'
import { described } from '../described'
import { planPhases, planStages } from '@/lib/kube/kinds/rebalance-plan'
import { count, messageSchema, refSchema, replicasSchema, sentenceSchema, stateViewSchema, time } from './fleet'

const places = z.array(replicasSchema)
const rebalanceStage = z.enum(['pending', 'triggered', 'scheduled', 'applied', 'healthy', 'failed'])

export const rebalanceTargetSchema = z
  .strictObject({
    id: z.string(),
    ref: refSchema,
    stage: rebalanceStage,
    /** What the API says ("Successful" means only that the trigger was written). */
    result: z.string().optional(),
    reason: z.string().optional(),
    state: stateViewSchema,
    /** Where it was when the rebalance was asked for, as the console recorded it; absent for foreign rebalancers. */
    before: places.optional(),
    /** What the preview predicted. */
    predicted: places.optional(),
    after: places.optional(),
    /** Replicas that changed cluster between `before` and `after`. */
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

export const headroomSchema = z
  .strictObject({ cluster: z.string(), gains: count, room: z.number(), short: z.boolean() })
  .meta({ id: 'Headroom', ...described('api.schema.headroom') })

const loadChange = z.strictObject({
  /** As the cluster last reported it; absent: it reports none. CPU in thousandths of a core, memory in bytes. */
  capacity: z.strictObject({ allocatable: z.number(), requested: z.number() }).optional(),
  /** Requested by the replicas that are still to arrive, and to leave. */
  arriving: z.number(),
  leaving: z.number(),
  /** Replicas among them whose request is not known. */
  unknown: count,
})

export const rebalanceLoadSchema = z
  .strictObject({
    computedAt: time,
    clusters: z.array(
      z.strictObject({
        cluster: z.string(),
        cpu: loadChange,
        memory: loadChange,
        pods: loadChange,
        /** It does not answer since then: its report is older. */
        staleSince: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'RebalanceLoad', ...described('api.schema.rebalanceLoad') })

export const planTargetSchema = z
  .strictObject({
    id: z.string(),
    ref: refSchema,
    verdict: z.enum(['moves', 'stays', 'refused']),
    before: places,
    after: places,
    moved: count,
    /** Why it moves there, or why it will not move. */
    reason: sentenceSchema,
    /** What else the reader should know. */
    notes: z.array(sentenceSchema).optional(),
    /** Ready replicas: now, the least to expect on the way, and the least that the budget permits. */
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
    /** Clusters that gain replicas, and whether they have room for all of them together. */
    headroom: z.array(headroomSchema),
    /** Of the clusters that replicas move between; absent for who may not list clusters. */
    load: rebalanceLoadSchema.optional(),
    manifest: z.unknown().meta(described('api.schema.rebalancePreview.manifest')),
    kubectl: z.string(),
  })
  .meta({ id: 'RebalancePreview' })

export const planRunTargetSchema = z
  .strictObject({
    id: z.string(),
    ref: refSchema,
    stage: z.enum(planStages),
    state: stateViewSchema,
    wave: count.optional(),
    before: places,
    predicted: places,
    actual: places.optional(),
    /** Replicas that change cluster. */
    moved: count,
    /** Replicas that ended elsewhere than predicted; absent until it is known. */
    predictionError: count.optional(),
    /** Ready replicas: the least that the budget permits, that was expected, and that was seen. */
    ready: z.strictObject({ floor: count.optional(), expected: count.optional(), lowest: count.optional() }),
    triggeredAt: z.string().optional(),
    finishedAt: z.string().optional(),
  })
  .meta({ id: 'RebalancePlanTarget' })

export const planWaveSchema = z
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
    /** What is approved or may be approved; see RebalancePlanView.base. */
    base: z.string().optional(),
    /** How the fleet differs from the approved preview, as the status of the plan lists it. */
    changes: z.array(z.string()),
    /** `3 of 12`. */
    progress: z.string().optional(),
    wave: count,
    waves: z.array(planWaveSchema),
    counts: planCounts,
    /** What the spec asks for. */
    rollout: z.array(messageSchema),
    /** The most workloads and replicas of a wave, the pause after it, and whether old replicas stay until new ones are ready. */
    schedule: z.strictObject({ workloads: count, replicas: count.optional(), pauseMs: count, keepsOld: z.boolean() }),
    /** How often it stopped by itself. */
    holds: count,
    /** Why it does not advance, and since when. */
    hold: z
      .strictObject({ reason: z.string(), message: sentenceSchema, at: z.string(), workload: z.string().optional() })
      .optional(),
    headroom: z.array(headroomSchema),
    /** Replicas that ended elsewhere than predicted, and by cluster. */
    prediction: z
      .strictObject({
        error: count,
        clusters: z.array(z.strictObject({ cluster: z.string(), predicted: count, actual: count })),
      })
      .optional(),
    /** The plan whose distribution this one brings back, and the plans that bring back this one's. */
    undoOf: z.string().optional(),
    undoneBy: z.array(z.string()),
    startedAt: z.string().optional(),
    finishedAt: z.string().optional(),
    actions: z.array(z.enum(['approve', 'pause', 'resume', 'stop', 'continue', 'discard', 'undo'])),
    targets: z.array(planRunTargetSchema),
  })
  .meta({ id: 'RebalancePlan' })

const outcome = z.enum(['moves', 'shrinks', 'stuck', 'lost', 'stays'])

export const whatIfTargetSchema = z
  .strictObject({
    id: z.string(),
    ref: refSchema,
    outcome,
    state: stateViewSchema,
    before: places,
    after: places,
    /** Replicas in the clusters that are lost, and those that stay ready in others meanwhile. */
    replicas: count,
    readyElsewhere: count,
    /** How long it waits for the cluster before it leaves; absent when it leaves at once, or never. */
    toleratesSeconds: z.number().optional(),
    /** `after` is one of several possible ends: it depends on how soon clusters report what went there before. */
    isOpen: z.boolean(),
    hasFailoverPolicy: z.boolean(),
  })
  .meta({ id: 'WhatIfTarget' })

export const whatIfSchema = z
  .strictObject({
    id: z.string(),
    cluster: z.string(),
    /** Clusters that fail, or are drained, at the same time. */
    others: z.array(z.string()),
    cause: z.enum(['fails', 'drained']),
    counts: z.record(outcome, count),
    /** Workloads whose end is one of several possible. */
    open: count,
    withoutFailoverPolicy: count,
    replicasMoved: count,
    headroom: z.array(headroomSchema),
    /** The most troubled first. */
    targets: z.array(whatIfTargetSchema),
    /** Workloads that the premise moves: as they are, and as the scheduler then places them. `wanted`: the other replicas. */
    rescaled: z.array(
      z.strictObject({ id: z.string(), ref: refSchema, wanted: count.optional(), before: places, after: places }),
    ),
    /** Of the clusters that replicas move between, as they are now and after all. */
    load: rebalanceLoadSchema,
  })
  .meta({ id: 'WhatIf' })

export const lossSurveySchema = z
  .strictObject({
    /** Clusters that are ready; fewer in `clusters` while the survey runs. */
    total: count,
    computedAt: time.optional(),
    clusters: z.array(
      z.strictObject({
        cluster: z.string(),
        /** Workloads there and their replicas, and those of them without a place in another cluster. */
        workloads: count,
        replicas: count,
        lostWorkloads: count,
        lostReplicas: count,
        /** Some of the workloads without a place. */
        names: z.array(z.string()),
      }),
    ),
    /** The fleet is large: a survey starts only when it is ordered. */
    onDemand: z.literal(true).optional(),
  })
  .meta({ id: 'LossSurvey', ...described('api.schema.lossSurvey') })

export const failbackSchema = z
  .strictObject({
    id: z.string(),
    cluster: z.string(),
    healthySince: time,
    stableAt: time,
    /** Well for long enough to be trusted. */
    isStable: z.boolean(),
    /** Workloads that had to leave it, those that would return now, and their replicas. */
    left: count,
    returning: count,
    replicas: count,
  })
  .meta({ id: 'Failback' })
