/** The views of clusters and workloads as schemas, for the HTTP API and its document. They follow `model.ts` to the letter. */
import { z } from 'zod'
import { described } from '../described'
import type { Message } from '@/lib/messages/message'

/** RFC 3339. */
export const time = z.string().meta({ format: 'date-time' })
export const count = z.number().int()

export const stateSchema = z.enum(['ok', 'active', 'warn', 'fail', 'held', 'unknown']).meta({ id: 'State' })
/** A text by its code in lib/messages. */
export const messageSchema: z.ZodType<Message, Message> = z
  .strictObject({ code: z.string(), args: z.record(z.string(), z.unknown()).optional() })
  .meta({ id: 'Message' }) as never
export const sentenceSchema = z.union([z.string(), messageSchema])
export const stateViewSchema = z
  .strictObject({ state: stateSchema, reason: sentenceSchema })
  .meta({ id: 'StateWithReason' })

/** In answers; what is sent is checked by `workloadRefSchema` of `actions.ts`. */
export const refSchema = z
  .strictObject({ apiVersion: z.string(), kind: z.string(), namespace: z.string().optional(), name: z.string() })
  .meta({ id: 'ObjectName' })

export const replicasSchema = z.strictObject({ cluster: z.string(), replicas: count }).meta({ id: 'ReplicasInCluster' })

export const conditionSchema = z
  .strictObject({
    type: z.string(),
    status: z.enum(['True', 'False', 'Unknown']),
    reason: z.string(),
    message: z.string(),
    lastTransitionTime: z.string(),
  })
  .meta({ id: 'Condition' })

export const taintSchema = z
  .strictObject({ key: z.string(), value: z.string().optional(), effect: z.string(), timeAdded: z.string().optional() })
  .meta({ id: 'Taint' })

const capacitySchema = z
  .strictObject({ allocatable: z.number(), allocated: z.number(), allocating: z.number() })
  .meta({ id: 'Capacity', ...described('api.schema.capacity') })

const replicaCounts = {
  desired: count.meta(described('api.schema.replicas.desired')),
  current: count.meta(described('api.schema.replicas.current')),
  ready: count.meta(described('api.schema.replicas.ready')),
  unknown: count.optional().meta(described('api.schema.replicas.unknown')),
  old: count.optional().meta(described('api.schema.replicas.old')),
  oldReady: count.optional().meta(described('api.schema.replicas.oldReady')),
  oldUnknown: count.optional().meta(described('api.schema.replicas.oldUnknown')),
}

const replicaCountsSchema = z.strictObject(replicaCounts).meta({ id: 'ReplicaCounts' })

const readiness = z.enum(['True', 'False', 'Unknown', 'Missing'])

export const clusterSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    state: stateViewSchema,
    ready: readiness,
    readySince: time.optional(),
    provider: z.string().optional(),
    region: z.string().optional(),
    zones: z.array(z.string()),
    kubernetesVersion: z.string().optional(),
    syncMode: z.string(),
    simulated: z.boolean(),
    nodes: z.strictObject({ ready: count, total: count }).optional(),
    cpu: capacitySchema.optional(),
    memory: capacitySchema.optional(),
    pods: capacitySchema.optional(),
    taints: z.array(taintSchema),
    conditions: z.array(conditionSchema),
    workloads: count,
    replicas: replicaCountsSchema,
    createdAt: time,
    deleting: z.boolean(),
  })
  .meta({ id: 'Cluster' })

const cellSchema = z
  .strictObject({
    cluster: z.string(),
    ...replicaCounts,
    role: z.enum(['placed', 'evicting', 'leaving']),
    applied: z.boolean(),
    health: z.enum(['Healthy', 'Unhealthy', 'Unknown']),
    state: stateViewSchema,
  })
  .meta({ id: 'WorkloadInCluster' })

const heldSchema = z
  .strictObject({
    by: z.enum(['queue', 'hold', 'suspended']),
    message: messageSchema,
    queue: z.string().optional(),
    who: z.string().optional(),
    policy: z.literal(true).optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    position: count.optional(),
  })
  .meta({ id: 'Held', ...described('api.schema.held') })

const workloadFields = {
  id: z.string(),
  ref: refSchema,
  binding: z.strictObject({
    kind: z.enum(['ResourceBinding', 'ClusterResourceBinding']),
    namespace: z.string().optional(),
    name: z.string(),
  }),
  policy: z
    .strictObject({
      kind: z.enum(['PropagationPolicy', 'ClusterPropagationPolicy']),
      namespace: z.string().optional(),
      name: z.string(),
    })
    .optional(),
  strategy: z.enum(['Duplicated', 'StaticWeight', 'DynamicWeight', 'Aggregated', 'NotDivided']),
  hasReplicas: z.boolean(),
  ...replicaCounts,
  cells: z.array(cellSchema),
  state: stateViewSchema,
  suspended: z.strictObject({ scheduling: z.boolean(), dispatching: z.boolean() }),
  held: heldSchema.optional(),
  drift: count.optional().meta(described('api.schema.drift')),
  scheduled: conditionSchema.optional(),
  fullyApplied: conditionSchema.optional(),
  lastScheduledTime: z.string().optional(),
  rescheduleTriggeredAt: z.string().optional(),
  createdAt: time,
}

export const workloadSchema = z.strictObject(workloadFields).meta({ id: 'Workload' })

const evictionTaskSchema = z
  .strictObject({
    fromCluster: z.string(),
    replicas: count.optional(),
    reason: z.string(),
    message: z.string().optional(),
    producer: z.string(),
    purgeMode: z.string().optional(),
    createdAt: z.string().optional(),
    gracePeriodSeconds: z.number().optional(),
    suppressDeletion: z.boolean().optional(),
  })
  .meta({ id: 'EvictionTask' })

const overrideSchema = z
  .strictObject({
    cluster: z.string(),
    policy: z.strictObject({ kind: z.enum(['OverridePolicy', 'ClusterOverridePolicy']), name: z.string() }),
    changes: z.array(sentenceSchema),
  })
  .meta({ id: 'Override' })

const timelineEntrySchema = z
  .strictObject({
    id: z.string(),
    at: z.string(),
    source: z.enum(['event', 'condition', 'eviction', 'rebalance', 'placement']),
    state: stateSchema,
    title: sentenceSchema,
    detail: sentenceSchema,
    cluster: z.string().optional(),
    count: count.optional(),
  })
  .meta({ id: 'TimelineEntry' })

export const blockerSchema = z
  .strictObject({
    reason: z.string(),
    cluster: z.string().optional(),
    message: messageSchema,
    until: z.string().optional(),
  })
  .meta({ id: 'Blocker' })

const whySchema = z
  .strictObject({
    cluster: z.string(),
    fits: z.boolean(),
    sentence: sentenceSchema,
    score: z.number().optional(),
    capacity: z.number().optional(),
    weight: z.number().optional(),
    replicas: z.number().optional(),
  })
  .meta({ id: 'BlockedInCluster' })

export const workloadDetailSchema = z
  .strictObject({
    ...workloadFields,
    conditions: z.array(conditionSchema),
    evictionTasks: z.array(evictionTaskSchema),
    overrides: z.array(overrideSchema),
    timeline: z.array(timelineEntrySchema),
    placement: z.array(sentenceSchema),
    why: z.array(whySchema),
    blockedBy: z.array(blockerSchema),
    bindingObject: z.unknown().meta(described('api.schema.bindingObject')),
  })
  .meta({ id: 'WorkloadDetail' })

export const aboutSchema = z
  .strictObject({
    mode: z.enum(['embedded', 'connected']),
    server: z.string(),
    version: z.string().optional(),
    user: z.string().optional(),
    kubeconfig: z
      .strictObject({ path: z.string(), context: z.string().optional() })
      .optional()
      .meta(described('api.schema.kubectl')),
    kinds: z.array(
      z.strictObject({
        kind: z.string(),
        resource: z.string(),
        served: z.boolean(),
        readable: z.boolean(),
        note: z.string().optional(),
      }),
    ),
    reconcilers: z.array(z.strictObject({ name: z.string(), running: z.boolean(), leader: z.boolean() })),
    troubled: z
      .array(
        z.strictObject({
          controller: z.string(),
          key: z.string(),
          state: z.enum(['failing', 'skipped']),
          cause: z.string(),
          failures: z.number(),
          since: z.string(),
          nextTryAt: z.string().optional(),
        }),
      )
      .meta(described('api.schema.quarantine')),
    missing: z.array(z.string()),
  })
  .meta({ id: 'About' })
