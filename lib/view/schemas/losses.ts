/** The views of simulated losses of clusters as schemas. `rebalance-model.ts` derives its types from them. */
import { z } from 'zod'
import { described } from '../described'
import { count, messageSchema, time } from './fleet'

export const lossSchema = z
  .strictObject({
    clusters: z.array(z.string()),
    /** The region or zone that is lost. */
    place: z.string().optional(),
    /** Workloads with replicas in these clusters, and those of them that are placed elsewhere as a whole. */
    workloads: count,
    moved: count,
    /** Workloads that lose replicas, and those of them of which nothing runs. */
    losing: count,
    down: count,
    /** Replicas that need another place, and those that get one. */
    needed: count,
    placed: count,
    /** Some of the workloads that lose replicas, those that are down first. */
    names: z.array(z.string()),
    /** The fullest of the clusters that take in replicas; a share above 1 is more than there is. */
    peak: z.strictObject({ cluster: z.string(), resource: z.string(), share: z.number() }).optional(),
    /** From the failure to the last eviction; absent when nothing is evicted. */
    evictedAfterMs: z.number().optional(),
  })
  .meta({ id: 'Loss', ...described('api.schema.loss') })

/** A change that was tried in the same simulation. */
export const fixSchema = z
  .strictObject({
    change: messageSchema,
    /** Which workloads survive which losses with it. */
    effect: messageSchema,
    /** Workloads that survive a loss with it and not without, and those of which the contrary is true. */
    workloads: count,
    worse: count.optional(),
    /** Losses that are survived, counted for each workload, and replicas that get a place in all losses together. */
    survived: count,
    replicas: z.number(),
    /** The id of the workload to resume. */
    workload: z.string().optional(),
    /** The id of the policy to edit, and the field of its placement that changes. */
    policy: z.string().optional(),
    edit: z.strictObject({ path: z.array(z.string()), value: z.unknown() }).optional(),
  })
  .meta({ id: 'Fix', ...described('api.schema.fix') })

const kindOfLoss = {
  losses: count,
  /** Losses without a workload that loses replicas. */
  survived: count,
  needed: count,
  placed: count,
}

const lossesOfKind = z.strictObject({ ...kindOfLoss, each: z.array(lossSchema) })

export const lossesSchema = z
  .strictObject({
    /** Ready clusters in the order of `pairs.losing`: by region, then by name. */
    clusters: z.array(z.strictObject({ name: z.string(), region: z.string().optional() })),
    /** Clusters that are not ready; their loss is not simulated. */
    unready: count,
    /** Clusters in several zones, which the loss of one zone is not simulated for. */
    spanning: count,
    computedAt: time.optional(),
    /** Until the losses of clusters, regions and zones were computed. */
    tookMs: z.number().optional(),
    /** Equal for two answers that were computed for the same bindings and clusters. */
    revision: z.string().optional(),
    /** The fleet has changed since. */
    outdated: z.literal(true).optional(),
    /** While it runs. */
    progress: z.strictObject({ done: count, total: count, pairs: z.boolean() }).optional(),
    cluster: lossesOfKind,
    region: lossesOfKind,
    zone: lossesOfKind,
    /** Pairs of clusters; absent until they are computed. */
    pairs: z
      .strictObject({
        ...kindOfLoss,
        tookMs: z.number(),
        /** Workloads that lose replicas, for the pairs (1, 0), (2, 0), (2, 1), (3, 0) and so on of `clusters`. */
        losing: z.array(count),
        /** The pairs that lose more replicas than their clusters do one at a time, the worst first. */
        worst: z.array(lossSchema),
      })
      .optional(),
    /** Scores since they are recorded, oldest first; told only to readers who see all workloads. */
    history: z.array(z.strictObject({ at: time, score: count })).optional(),
    /** Workloads of the last incidents that became what was foretold when their cluster was lost, and others. */
    accuracy: z.strictObject({ incidents: count, exact: count, missed: count }).optional(),
    /** Changes that make the losses of clusters, regions and zones cost less, the best first; absent until they are computed. */
    fixes: z.array(fixSchema).optional(),
    /** Of the workloads that lose replicas with a cluster, a region or a zone, those without a failover policy. */
    withoutFailoverPolicy: count,
    /** Pairs in all, and whether they are computed on request only because that takes long. */
    pairsTotal: count,
    pairsOnDemand: z.literal(true).optional(),
    /** The fleet is large: a computation starts only on request. */
    onDemand: z.literal(true).optional(),
  })
  .meta({ id: 'Losses', ...described('api.schema.losses') })
