/**
 * Schemas of propagation policies, for the HTTP API and its document. `policy-model.ts` derives its types from them.
 */
import { z } from 'zod'
import { count, messageSchema, replicasSchema, stateViewSchema, time } from './fleet'

export const policyKindSchema = z.enum(['PropagationPolicy', 'ClusterPropagationPolicy'])

/** One `resourceSelectors` entry; labels in kubectl's syntax. */
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
    /** It may preempt workloads of policies with lower priority. */
    preempts: z.boolean(),
    /** Changes take effect only when the workload itself changes. */
    lazy: z.boolean(),
    placement: z.array(messageSchema),
    /** Suspension and failover of the policy, one message per rule. */
    suspension: z.array(messageSchema),
    failover: z.array(messageSchema),
    /** Workloads that the policy claimed and that the reader may view, and their replicas by cluster. */
    workloads: count,
    replicas: count,
    clusters: z.array(replicasSchema),
    /** Workloads that would be placed differently now, and the replicas that would move. */
    drifted: count,
    drift: count,
    deleting: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'Policy' })
