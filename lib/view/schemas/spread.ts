/** The views of WorkloadSpreads as schemas. They follow `spread-model.ts` to the letter. */
import { z } from 'zod'
import { conditionSchema, count, messageSchema, refSchema, stateViewSchema, time } from './fleet'

const subsetSchema = z
  .strictObject({
    name: z.string(),
    maxReplicas: z.union([z.number(), z.string()]).optional(),
    rules: z.array(messageSchema),
  })
  .meta({ id: 'SpreadSubset' })

const expectedPodSchema = z
  .strictObject({ name: z.string(), doing: z.enum(['creating', 'deleting']), since: z.string(), until: z.string() })
  .meta({ id: 'ExpectedPod' })

const subsetCountSchema = z
  .strictObject({
    name: z.string(),
    limit: count.optional(),
    desired: count.optional(),
    current: count,
    missing: count.optional(),
    unschedulable: z.strictObject({ since: z.string(), until: z.string() }).optional(),
    expected: z.array(expectedPodSchema),
    conditions: z.array(conditionSchema),
    state: stateViewSchema,
  })
  .meta({ id: 'SubsetInCluster' })

const spreadInClusterSchema = z
  .strictObject({
    cluster: z.string(),
    state: stateViewSchema,
    size: count.optional(),
    subsets: z.array(subsetCountSchema).optional(),
    sum: z.strictObject({ total: count, parts: z.array(count), off: count, state: stateViewSchema }).optional(),
    deleteOrder: z
      .array(z.strictObject({ subset: z.string().optional(), surplus: z.boolean(), pods: count, cost: z.number() }))
      .optional(),
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
    behavior: z.array(messageSchema),
    target: refSchema,
    workload: z.string().optional(),
    subsets: z.array(subsetSchema),
    deletion: z.enum(['subset', 'ordinal', 'any']),
    clusters: z.array(spreadInClusterSchema),
    state: stateViewSchema,
  })
  .meta({ id: 'Spread' })
