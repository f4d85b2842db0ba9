/** Schemas of WorkloadSpreads. `spread-model.ts` derives its types from them. */
import { z } from 'zod'
import { conditionSchema, count, messageSchema, refSchema, stateViewSchema, time } from './fleet'

export const subsetSchema = z
  .strictObject({
    name: z.string(),
    /** As written: `3`, `60%`; absent: no limit. */
    maxReplicas: z.union([z.number(), z.string()]).optional(),
    /** What the subset adds to its pods. */
    rules: z.array(messageSchema),
  })
  .meta({ id: 'SpreadSubset' })

export const expectedPodSchema = z
  .strictObject({
    /** Name of the pod, or the ID that replaces a missing name. */
    name: z.string(),
    doing: z.enum(['creating', 'deleting']),
    /** When the webhook recorded it, and its timeout. */
    since: z.string(),
    until: z.string(),
  })
  .meta({ id: 'ExpectedPod' })

export const subsetCountSchema = z
  .strictObject({
    name: z.string(),
    /** Value of `maxReplicas`; absent without a limit, or if the size of the workload is unknown. */
    limit: count.optional(),
    /** Desired pods if every earlier subset is full; absent if unknown. */
    desired: count.optional(),
    current: count,
    /** Additional pods that it accepts; absent without a limit. */
    missing: count.optional(),
    /** It had no capacity: it accepts no pod before that time. */
    unschedulable: z.strictObject({ since: z.string(), until: z.string() }).optional(),
    expected: z.array(expectedPodSchema),
    conditions: z.array(conditionSchema),
    state: stateViewSchema,
  })
  .meta({ id: 'SubsetInCluster' })

export const spreadInClusterSchema = z
  .strictObject({
    cluster: z.string(),
    state: stateViewSchema,
    /** Desired pods of the workload in the cluster; absent if unknown. */
    size: count.optional(),
    /** In the order of the spread; absent while the cluster has not reported. */
    subsets: z.array(subsetCountSchema).optional(),
    /** Absent while either was not reported, or if the spread excludes some pods. */
    sum: z
      .strictObject({
        /** Pods that the workload reports. */
        total: count,
        /** Pods by subset, in order. */
        parts: z.array(count),
        /** Difference between the total and the sum of the subsets; negative if the subsets count more. */
        off: count,
        state: stateViewSchema,
      })
      .optional(),
    /** Absent if the workload does not choose pods by their subset. */
    deleteOrder: z
      .array(
        z.strictObject({
          /** Absent for pods without a subset. */
          subset: z.string().optional(),
          /** In excess of their subset's limit, so deleted before all others. */
          surplus: z.boolean(),
          pods: count,
          cost: z.number(),
        }),
      )
      .optional(),
    /** Number of revisions with pods; while there are several, older ones are scaled down in the opposite order. */
    revisions: count,
  })
  .meta({ id: 'SpreadInCluster' })

export const spreadSchema = z
  .strictObject({
    id: z.string(),
    namespace: z.string(),
    name: z.string(),
    createdAt: time,
    strategy: z.enum(['Fixed', 'Adaptive']),
    /** Description of strategy and filter. */
    behavior: z.array(messageSchema),
    target: refSchema,
    /** ID of the target; absent while it is not propagated. */
    workload: z.string().optional(),
    subsets: z.array(subsetSchema),
    /** Which pods a scale-down deletes first: by subset, by ordinal, or any. */
    deletion: z.enum(['subset', 'ordinal', 'any']),
    /** Sorted by name. */
    clusters: z.array(spreadInClusterSchema),
    state: stateViewSchema,
  })
  .meta({ id: 'Spread' })
