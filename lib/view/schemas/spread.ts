/** The views of WorkloadSpreads as schemas. `spread-model.ts` derives its types from them. */
import { z } from 'zod'
import { conditionSchema, count, messageSchema, refSchema, stateViewSchema, time } from './fleet'

export const subsetSchema = z
  .strictObject({
    name: z.string(),
    /** As written: `3`, `60%`; absent: no limit. */
    maxReplicas: z.union([z.number(), z.string()]).optional(),
    /** What its pods are given. */
    rules: z.array(messageSchema),
  })
  .meta({ id: 'SpreadSubset' })

export const expectedPodSchema = z
  .strictObject({
    /** Its name; of a pod that had none yet, what stands for it. */
    name: z.string(),
    doing: z.enum(['creating', 'deleting']),
    /** When the webhook saw it, and until when it is waited for. */
    since: z.string(),
    until: z.string(),
  })
  .meta({ id: 'ExpectedPod' })

export const subsetCountSchema = z
  .strictObject({
    name: z.string(),
    /** What `maxReplicas` comes to here; absent where there is no limit, or the size of the workload is not known. */
    limit: count.optional(),
    /** Pods that belong here when every subset before it is full; absent where that cannot be known. */
    desired: count.optional(),
    current: count,
    /** Pods that it still takes; absent where there is no limit. */
    missing: count.optional(),
    /** It had no room: no pod is sent here before that time. */
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
    /** Pods that the workload is to have there; absent where that is not known. */
    size: count.optional(),
    /** In the order of the spread; absent while the cluster reported nothing. */
    subsets: z.array(subsetCountSchema).optional(),
    /** Absent while one of the two was not reported, or the spread leaves out some of the pods. */
    sum: z
      .strictObject({
        /** Pods that the workload reports. */
        total: count,
        /** Pods by subset, in order. */
        parts: z.array(count),
        /** Pods that the subsets do not sum for; negative when they count more than there are. */
        off: count,
        state: stateViewSchema,
      })
      .optional(),
    /** Absent where pods are not chosen by their subset. */
    deleteOrder: z
      .array(
        z.strictObject({
          /** Absent for pods in no subset. */
          subset: z.string().optional(),
          /** Too many for their subset, hence before all that are not. */
          surplus: z.boolean(),
          pods: count,
          cost: z.number(),
        }),
      )
      .optional(),
    /** Revisions that have pods there; while there are several, the older ones are emptied in the opposite order. */
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
    /** What the strategy and the filter mean. */
    behavior: z.array(messageSchema),
    target: refSchema,
    /** The id of the target; absent while it is not propagated. */
    workload: z.string().optional(),
    subsets: z.array(subsetSchema),
    /** Whom a smaller workload gives up first: by subset, by ordinal, or whomever. */
    deletion: z.enum(['subset', 'ordinal', 'any']),
    /** Sorted by name. */
    clusters: z.array(spreadInClusterSchema),
    state: stateViewSchema,
  })
  .meta({ id: 'Spread' })
