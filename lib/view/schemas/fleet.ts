/** Schemas of cluster and workload views, for the HTTP API and its document. `model.ts` derives its types from them. */
import { z } from 'zod'
import { described } from '../described'
import type { Message } from '@/lib/messages/message'

/** RFC 3339. */
export const time = z.string().meta({ format: 'date-time' })
export const count = z.number().int()

export const stateSchema = z.enum(['ok', 'active', 'warn', 'fail', 'held', 'unknown']).meta({ id: 'State' })
/** A message by its code in lib/messages. */
export const messageSchema: z.ZodType<Message, Message> = z
  .strictObject({ code: z.string(), args: z.record(z.string(), z.unknown()).optional() })
  .meta({ id: 'Message' }) as never
export const sentenceSchema = z.union([z.string(), messageSchema])
export const stateViewSchema = z
  .strictObject({
    state: stateSchema,
    /** A string only in views that do not send messages yet. */
    reason: sentenceSchema,
  })
  .meta({ id: 'StateWithReason' })

/** For answers; request bodies are validated by `workloadRefSchema` of `actions.ts`. */
export const refSchema = z
  .strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    /** Absent for cluster-scoped kinds. */
    namespace: z.string().optional(),
    name: z.string(),
  })
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

export const capacitySchema = z
  .strictObject({
    allocatable: z.number(),
    allocated: z.number(),
    /** Requests of pods that have no node yet. */
    allocating: z.number(),
  })
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

export const replicaCountsSchema = z.strictObject(replicaCounts).meta({ id: 'ReplicaCounts' })

const readiness = z.enum(['True', 'False', 'Unknown', 'Missing'])

export const clusterSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    state: stateViewSchema,
    ready: readiness,
    /** When `ready` last changed. */
    readySince: time.optional(),
    provider: z.string().optional(),
    region: z.string().optional(),
    zones: z.array(z.string()),
    kubernetesVersion: z.string().optional(),
    syncMode: z.string(),
    /** True for a member that the embedded control plane simulates. */
    simulated: z.boolean(),
    nodes: z.strictObject({ ready: count, total: count }).optional(),
    cpu: capacitySchema.optional(),
    memory: capacitySchema.optional(),
    pods: capacitySchema.optional(),
    taints: z.array(taintSchema),
    conditions: z.array(conditionSchema),
    /** Workloads scheduled to this cluster, and their total replicas in it. */
    workloads: count,
    replicas: replicaCountsSchema,
    createdAt: time,
    deleting: z.boolean(),
  })
  .meta({ id: 'Cluster' })

export const cellSchema = z
  .strictObject({
    cluster: z.string(),
    ...replicaCounts,
    /**
     * `placed`: in spec.clusters. `evicting`: a graceful eviction task keeps the old replicas. `leaving`: a Work
     * remains although the cluster is not scheduled any more.
     */
    role: z.enum(['placed', 'evicting', 'leaving']),
    applied: z.boolean(),
    health: z.enum(['Healthy', 'Unhealthy', 'Unknown']),
    state: stateViewSchema,
  })
  .meta({ id: 'WorkloadInCluster' })

export const heldSchema = z
  .strictObject({
    /** `queue`: pending in a queue. `hold`: its queue is on hold. `suspended`: the binding itself is suspended. */
    by: z.enum(['queue', 'hold', 'suspended']),
    /** Who suspended it, why and until when, or why it is pending. */
    message: messageSchema,
    queue: z.string().optional(),
    who: z.string().optional(),
    /** `who` is the workload's policy, which must resume the scheduling. */
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
  /** False for templates without replicas (a ClusterRole): all counts are then numbers of clusters. */
  hasReplicas: z.boolean(),
  ...replicaCounts,
  /** Sorted by cluster name. */
  cells: z.array(cellSchema),
  state: stateViewSchema,
  suspended: z.strictObject({ scheduling: z.boolean(), dispatching: z.boolean() }),
  /** Absent: nothing prevents scheduling. */
  held: heldSchema.optional(),
  drift: count.optional().meta(described('api.schema.drift')),
  scheduled: conditionSchema.optional(),
  fullyApplied: conditionSchema.optional(),
  lastScheduledTime: z.string().optional(),
  rescheduleTriggeredAt: z.string().optional(),
  createdAt: time,
}

export const workloadSchema = z.strictObject(workloadFields).meta({ id: 'Workload' })

export const evictionTaskSchema = z
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

export const overrideSchema = z
  .strictObject({
    cluster: z.string(),
    policy: z.strictObject({ kind: z.enum(['OverridePolicy', 'ClusterOverridePolicy']), name: z.string() }),
    /** One message per change. */
    changes: z.array(sentenceSchema),
  })
  .meta({ id: 'Override' })

export const timelineEntrySchema = z
  .strictObject({
    id: z.string(),
    at: z.string(),
    /** Source of the entry. */
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
    /** A `BlockerReason` of lib/domain/failover, for programs. */
    reason: z.string(),
    cluster: z.string().optional(),
    message: messageSchema,
    until: z.string().optional(),
  })
  .meta({ id: 'Blocker' })

export const whySchema = z
  .strictObject({
    cluster: z.string(),
    fits: z.boolean(),
    sentence: sentenceSchema,
    score: z.number().optional(),
    /** Additional replicas that it could take. */
    capacity: z.number().optional(),
    /** Its weight in the division, if replicas were divided by weight. */
    weight: z.number().optional(),
    /** Replicas that it would get. */
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
    /** The rules of the applied placement. */
    placement: z.array(sentenceSchema),
    /** By cluster: fits or the filter that rejects it, score, capacity, from the scheduling code. */
    why: z.array(whySchema),
    /** What blocks a failover. */
    blockedBy: z.array(blockerSchema),
    bindingObject: z.unknown().meta(described('api.schema.bindingObject')),
  })
  .meta({ id: 'WorkloadDetail' })

/** The twin that the console shows: missing objects, and the proof that it makes the same decisions. */
const twinSchema = z.strictObject({
  source: z.string(),
  takenAt: z.string(),
  anonymised: z.boolean(),
  counts: z.strictObject({
    clusters: z.number(),
    bindings: z.number(),
    nodes: z.number(),
    pods: z.number(),
    objects: z.number(),
  }),
  proof: z.strictObject({
    workloads: z.number(),
    kept: z.number(),
    percent: z.number(),
    notCompared: z.number(),
    moved: z
      .array(
        z.strictObject({
          kind: z.string(),
          namespace: z.string().optional(),
          name: z.string(),
          reason: sentenceSchema,
        }),
      )
      .meta(described('api.schema.twin.moved')),
  }),
  omissions: z.array(sentenceSchema).meta(described('api.schema.twin.omissions')),
})

export const aboutSchema = z
  .strictObject({
    mode: z.enum(['embedded', 'connected']),
    server: z.string(),
    version: z.string().optional(),
    user: z.string().optional(),
    /** kubeconfig file and context for kubectl on the machine of the server; absent if users log in. */
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
        /** The API server did not answer, so that nothing is known of the kind; what was read before is still shown. */
        unknown: z.literal(true).optional(),
        note: sentenceSchema.optional(),
      }),
    ),
    reconcilers: z.array(z.strictObject({ name: z.string(), running: z.boolean(), leader: z.boolean() })),
    /**
     * Objects that a controller fails to reconcile or skips; only for users who may list bindings and clusters
     * everywhere.
     */
    troubled: z
      .array(
        z.strictObject({
          controller: z.string(),
          /** `namespace/name`, or the key of the controller. */
          key: z.string(),
          name: z.string(),
          kind: z.string().optional(),
          state: z.enum(['failing', 'skipped']),
          cause: z.string(),
          failures: z.number(),
          since: z.string(),
          nextTryAt: z.string().optional(),
        }),
      )
      .meta(described('api.schema.quarantine')),
    missing: z.array(sentenceSchema),
    failover: z.enum(['automatic', 'byTaint', 'unknown', 'disabled']).meta(described('api.schema.clusterFailover')),
    namespaces: z.array(z.string()).optional().meta(described('api.schema.ownNamespaces')),
    twin: twinSchema.optional().meta(described('api.schema.twin')),
  })
  .meta({ id: 'About' })
