/** Schemas of simulated losses. `rebalance-model.ts` derives its types from them. */
import { z } from 'zod'
import { described } from '../described'
import { count, messageSchema, time } from './fleet'

export const lossSchema = z
  .strictObject({
    clusters: z.array(z.string()),
    /** The lost region or zone. */
    place: z.string().optional(),
    /** Workloads with replicas in these clusters, and those whose replicas are all placed elsewhere. */
    workloads: count,
    moved: count,
    /** Workloads that lose replicas, and those without any running replica. */
    losing: count,
    down: count,
    /** Those of `losing` that the scheduler may not place until a user or a queue resumes their scheduling. */
    waiting: count,
    /** Replicas that need another cluster, and those that get one. */
    needed: count,
    placed: count,
    /** Examples of workloads that lose replicas, those that are down first. */
    names: z.array(z.string()),
    /** The most utilized cluster that takes in replicas; a share above 1 exceeds its capacity. */
    peak: z.strictObject({ cluster: z.string(), resource: z.string(), share: z.number() }).optional(),
    /** Time from the failure to the last eviction; absent if no workload is evicted. */
    evictedAfterMs: z.number().optional(),
  })
  .meta({ id: 'Loss', ...described('api.schema.loss') })

/** A change with its simulated effect. */
export const fixSchema = z
  .strictObject({
    change: messageSchema,
    /** Which workloads survive which losses because of it. */
    effect: messageSchema,
    /** Workloads that survive a loss only with it, and those that survive only without it. */
    workloads: count,
    worse: count.optional(),
    /** Survived losses, counted per workload, and replicas placed over all losses. */
    survived: count,
    replicas: z.number(),
    /** ID of the workload to resume. */
    workload: z.string().optional(),
    /** ID of the policy to edit, and the field of its placement. */
    policy: z.string().optional(),
    edit: z.strictObject({ path: z.array(z.string()), value: z.unknown() }).optional(),
  })
  .meta({ id: 'Fix', ...described('api.schema.fix') })

const kindOfLoss = {
  losses: count,
  /** Losses in which no workload loses replicas. */
  survived: count,
  needed: count,
  placed: count,
}

const lossesOfKind = z.strictObject({ ...kindOfLoss, each: z.array(lossSchema) })

export const lossesSchema = z
  .strictObject({
    /** Ready clusters in the order of `pairs.losing`: by region, then by name. */
    clusters: z.array(z.strictObject({ name: z.string(), region: z.string().optional() })),
    /** Number of clusters that are not ready; their loss is not simulated. */
    unready: count,
    /** Number of clusters in several zones, which zone losses do not include. */
    spanning: count,
    computedAt: time.optional(),
    /** Duration until the losses of clusters, regions and zones were computed. */
    tookMs: z.number().optional(),
    /** Equal for two answers that were computed for the same bindings and clusters. */
    revision: z.string().optional(),
    /** The fleet changed after the computation. */
    outdated: z.literal(true).optional(),
    /** Present while the computation runs. */
    progress: z.strictObject({ done: count, total: count, pairs: z.boolean() }).optional(),
    cluster: lossesOfKind,
    region: lossesOfKind,
    zone: lossesOfKind,
    /** Pairs of clusters; absent until they are computed. */
    pairs: z
      .strictObject({
        ...kindOfLoss,
        tookMs: z.number(),
        /**
         * Number of workloads that lose replicas, for the pairs (1, 0), (2, 0), (2, 1), (3, 0) and so on of `clusters`.
         */
        losing: z.array(count),
        /** Pairs that lose more replicas than their clusters individually, worst first. */
        worst: z.array(lossSchema),
      })
      .optional(),
    /** Recorded scores, oldest first; only for readers who may view all workloads. */
    history: z.array(z.strictObject({ at: time, score: count })).optional(),
    /** Workloads of the last incidents whose prediction matched, and others. */
    accuracy: z.strictObject({ incidents: count, exact: count, missed: count }).optional(),
    /** Changes that reduce the losses of clusters, regions and zones, best first; absent until they are computed. */
    fixes: z.array(fixSchema).optional(),
    /** Workloads without a failover policy among those that lose replicas with a cluster, region or zone. */
    withoutFailoverPolicy: count,
    /** Number of pairs, and whether they are computed only on request because of their number. */
    pairsTotal: count,
    pairsOnDemand: z.literal(true).optional(),
    /** The fleet is large: a computation starts only on request. */
    onDemand: z.literal(true).optional(),
  })
  .meta({ id: 'Losses', ...described('api.schema.losses') })
