/** Schemas of rebalances. `rebalance-model.ts` derives its types from them. */
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
    /** Result in the API ("Successful" means only that the trigger was written). */
    result: z.string().optional(),
    reason: z.string().optional(),
    state: stateViewSchema,
    /**
     * Placement when the rebalance was requested, as recorded by the console; absent for rebalancers of other clients.
     */
    before: places.optional(),
    /** Placement in the preview. */
    predicted: places.optional(),
    after: places.optional(),
    /** The preview said that the scheduler may choose otherwise. */
    uncertain: z.boolean().optional().meta(described('api.schema.rebalanceTarget.uncertain')),
    /** Placement by the latest reports of the clusters before the decision, if it is another one than in the preview. */
    expected: places.optional().meta(described('api.schema.rebalanceTarget.expected')),
    /** Replicas that changed cluster between `before` and `after`. */
    moved: count.optional(),
  })
  .meta({ id: 'RebalanceTarget' })

/** Results compared with the preview, in workloads. */
const rebalancePredictionSchema = z
  .strictObject({
    exact: count,
    missed: count,
    /** Those of the missed that the preview called uncertain. */
    announced: count,
    /** Replicas in another cluster than in the preview. */
    misplaced: count,
    /** As by the latest reports of the clusters before each decision. */
    asExpected: count,
  })
  .meta({ id: 'RebalancePrediction', ...described('api.schema.rebalancePrediction') })

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
    prediction: rebalancePredictionSchema.optional(),
  })
  .meta({ id: 'Rebalancer' })

export const headroomSchema = z
  .strictObject({ cluster: z.string(), gains: count, room: z.number(), short: z.boolean() })
  .meta({ id: 'Headroom', ...described('api.schema.headroom') })

const loadChange = z.strictObject({
  /** As last reported by the cluster; absent if it reports none. CPU in millicores, memory in bytes. */
  capacity: z.strictObject({ allocatable: z.number(), requested: z.number() }).optional(),
  /** Requests of the replicas that still arrive, and of those that still leave. */
  arriving: z.number(),
  leaving: z.number(),
  /** Replicas among them with an unknown request. */
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
        /** It has not responded since then: its report is older. */
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
    /** Why it moves there, or why it does not move. */
    reason: sentenceSchema,
    /** Further facts for the user. */
    notes: z.array(sentenceSchema).optional(),
    /** Ready replicas: now, the expected minimum during the move, and the minimum that the budget permits. */
    ready: z.strictObject({ now: count, lowest: count, floor: count }),
    removed: z.boolean().optional().meta(described('api.schema.removed')),
    uncertain: z.boolean().optional().meta(described('api.schema.rebalanceTarget.uncertain')),
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
    /** Clusters that gain replicas, and whether all of them fit together. */
    headroom: z.array(headroomSchema),
    /** Load of the affected clusters; absent without permission to list clusters. */
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
    /** Replicas whose result differs from the prediction; absent until it is known. */
    predictionError: count.optional(),
    /** Why the scheduler may choose otherwise, decided when the workload was triggered. */
    uncertain: messageSchema.optional(),
    /** Ready replicas: the minimum that the budget permits, the expected minimum, and the observed one. */
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
    /** The approved preview, or the one to approve; see RebalancePlanView.base. */
    base: z.string().optional(),
    /** Differences of the fleet from the approved preview, from the plan's status. */
    changes: z.array(z.string()),
    /** `3 of 12`. */
    progress: z.string().optional(),
    wave: count,
    waves: z.array(planWaveSchema),
    counts: planCounts,
    /** The rollout in the spec. */
    rollout: z.array(messageSchema),
    /**
     * Maximum workloads and replicas of a wave, the pause after it, and whether old replicas stay until new ones are
     * ready.
     */
    schedule: z.strictObject({ workloads: count, replicas: count.optional(), pauseMs: count, keepsOld: z.boolean() }),
    /** Number of holds. */
    holds: count,
    /** Why it does not proceed, and since when. */
    hold: z
      .strictObject({ reason: z.string(), message: sentenceSchema, at: z.string(), workload: z.string().optional() })
      .optional(),
    headroom: z.array(headroomSchema),
    /** Replicas whose result differs from the prediction, in total and by cluster. */
    prediction: z
      .strictObject({
        error: count,
        /** Compared workloads whose prediction is not that of the preview. */
        renewed: count,
        clusters: z.array(z.strictObject({ cluster: z.string(), predicted: count, actual: count })),
      })
      .optional(),
    /** The plan that this one undoes, and the plans that undo this one. */
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
    /** Replicas in the lost clusters, and replicas that stay ready in others. */
    replicas: count,
    readyElsewhere: count,
    /** Toleration before the eviction; absent if it is evicted at once or never. */
    toleratesSeconds: z.number().optional(),
    /** `after` is one of several possible results: it depends on how soon clusters report earlier arrivals. */
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
    /** Number of workloads with several possible results. */
    open: count,
    withoutFailoverPolicy: count,
    replicasMoved: count,
    headroom: z.array(headroomSchema),
    /** Worst outcome first. */
    targets: z.array(whatIfTargetSchema),
    /** Workloads that the premise moves: as they are, and as the scheduler then places them. `wanted`: the other replicas. */
    rescaled: z.array(
      z.strictObject({ id: z.string(), ref: refSchema, wanted: count.optional(), before: places, after: places }),
    ),
    /** Load of the affected clusters, now and at the end. */
    load: rebalanceLoadSchema,
  })
  .meta({ id: 'WhatIf' })

export const lossSurveySchema = z
  .strictObject({
    /** Number of ready clusters; `clusters` has fewer while the survey runs. */
    total: count,
    computedAt: time.optional(),
    clusters: z.array(
      z.strictObject({
        cluster: z.string(),
        /** Workloads in the cluster and their replicas, and those that could not be placed elsewhere. */
        workloads: count,
        replicas: count,
        lostWorkloads: count,
        lostReplicas: count,
        /** Examples of workloads that could not be placed. */
        names: z.array(z.string()),
      }),
    ),
    /** The fleet is large: a survey starts only on request. */
    onDemand: z.literal(true).optional(),
  })
  .meta({ id: 'LossSurvey', ...described('api.schema.lossSurvey') })

export const failbackSchema = z
  .strictObject({
    id: z.string(),
    cluster: z.string(),
    healthySince: time,
    stableAt: time,
    /** Healthy for long enough. */
    isStable: z.boolean(),
    /** Workloads that were evicted from it, those that would return now, and their replicas. */
    left: count,
    returning: count,
    replicas: count,
  })
  .meta({ id: 'Failback' })
