/** View models of WorkloadSpreads: how the pods of a workload are spread over parts of each cluster. See model.ts. */
import type { z } from 'zod'
import type {
  expectedPodSchema,
  spreadInClusterSchema,
  spreadSchema,
  subsetCountSchema,
  subsetSchema,
} from './schemas/spread'

/** One subset as it is asked for. */
export type SpreadSubsetView = z.infer<typeof subsetSchema>

/** A pod that the webhook let in, or let go, and that has not been seen to come or go since. */
export type ExpectedPodView = z.infer<typeof expectedPodSchema>

/** One subset in one cluster, as that cluster reported it. */
export type SubsetCountView = z.infer<typeof subsetCountSchema>

/** The pods of the workload beside the sum of its subsets. */
export type SpreadSumView = NonNullable<SpreadInClusterView['sum']>

/** Pods that go at the same moment of a scale-down; the first step goes first. */
export type DeletionStepView = NonNullable<SpreadInClusterView['deleteOrder']>[number]

/** A spread in one cluster. */
export type SpreadInClusterView = z.infer<typeof spreadInClusterSchema>

/** One WorkloadSpread. `id` is `namespace/name`. */
export type SpreadView = z.infer<typeof spreadSchema>
