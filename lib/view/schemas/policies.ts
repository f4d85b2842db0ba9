/** Propagation policies as schemas, for the HTTP API and its document. `policy-model.ts` derives its types from them. */
import { z } from 'zod'
import { count, messageSchema, replicasSchema, stateViewSchema, time } from './fleet'

export const policyKindSchema = z.enum(['PropagationPolicy', 'ClusterPropagationPolicy'])

/** One `resourceSelectors` entry; labels as kubectl writes them. */
export const resourceSelectorSchema = z
  .strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    namespace: z.string().optional(),
    name: z.string().optional(),
    labels: z.array(z.string()),
  })
  .meta({ id: 'ResourceSelector' })

export const policySchema = z
  .strictObject({
    /** `namespace/name`, or the name of a ClusterPropagationPolicy. */
    id: z.string(),
    kind: policyKindSchema,
    namespace: z.string().optional(),
    name: z.string(),
    state: stateViewSchema,
    selectors: z.array(resourceSelectorSchema),
    priority: count,
    /** It may take workloads from policies of lower priority. */
    preempts: z.boolean(),
    /** A change takes effect only once the workload itself changes. */
    lazy: z.boolean(),
    placement: z.array(messageSchema),
    /** What is suspended, and what happens on failures; one message each. */
    suspension: z.array(messageSchema),
    failover: z.array(messageSchema),
    /** Workloads that the policy claimed and that the reader sees, and their replicas by cluster. */
    workloads: count,
    replicas: count,
    clusters: z.array(replicasSchema),
    /** Workloads whose placement would now be decided differently, and the replicas that would move. */
    drifted: count,
    drift: count,
    deleting: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'Policy' })
