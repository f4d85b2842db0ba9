/**
 * View models of WorkloadSpreads: how the pods of a workload are distributed over subsets of each cluster. See
 * model.ts.
 */
import type { z } from 'zod'
import type {
  expectedPodSchema,
  spreadInClusterSchema,
  spreadSchema,
  subsetCountSchema,
  subsetSchema,
} from './schemas/spread'

/** One subset of the spec. */
export type SpreadSubsetView = z.infer<typeof subsetSchema>

/** A pod whose creation or deletion the webhook admitted and that has not been observed since. */
export type ExpectedPodView = z.infer<typeof expectedPodSchema>

/** One subset in one cluster, as the cluster reported it. */
export type SubsetCountView = z.infer<typeof subsetCountSchema>

/** The pods of the workload compared with the sum of its subsets. */
export type SpreadSumView = NonNullable<SpreadInClusterView['sum']>

/** Pods with the same deletion cost; the first step is deleted first. */
export type DeletionStepView = NonNullable<SpreadInClusterView['deleteOrder']>[number]

/** A spread in one cluster. */
export type SpreadInClusterView = z.infer<typeof spreadInClusterSchema>

/** One WorkloadSpread. `id` is `namespace/name`. */
export type SpreadView = z.infer<typeof spreadSchema>
