/** What is read in a member cluster, as the user: pods, nodes, events, objects. `member-model.ts` derives its types from them. */
import { z } from 'zod'
import { count, conditionSchema, taintSchema, time } from './fleet'

/** What the square of a pod shows. */
export const podMarkSchema = z.enum(['ready', 'starting', 'notReady', 'failed', 'leaving', 'completed'])

export const containerSchema = z
  .strictObject({
    name: z.string(),
    image: z.string(),
    init: z.boolean(),
    ready: z.boolean(),
    restarts: count,
    /** `Running`, or the reason why it does not run. */
    status: z.string(),
    startedAt: time.optional(),
    /** A container ended before the present one: it has a log, too. */
    hasPrevious: z.boolean(),
  })
  .meta({ id: 'Container' })

export const podSchema = z
  .strictObject({
    namespace: z.string(),
    name: z.string(),
    uid: z.string(),
    node: z.string().optional(),
    mark: podMarkSchema,
    /** The STATUS of `kubectl get pods`. */
    status: z.string(),
    /** Why it is not ready, as the cluster tells it. */
    message: z.string().optional(),
    containers: z.array(containerSchema),
    restarts: count,
    ip: z.string().optional(),
    createdAt: time,
    deletingSince: time.optional(),
  })
  .meta({ id: 'Pod' })

/** A workload in a member. */
export const memberWorkloadSchema = z
  .strictObject({
    cluster: z.string(),
    /** Absent: the object does not exist there. */
    object: z
      .strictObject({
        replicas: count.optional(),
        ready: count.optional(),
        updated: count.optional(),
        generation: count.optional(),
        observedGeneration: count.optional(),
        createdAt: time,
        deleting: z.boolean(),
      })
      .optional(),
    pods: z.array(podSchema),
    /** How many pods there are, if not all of them were read. */
    total: count,
  })
  .meta({ id: 'WorkloadPods' })

export const eventSchema = z
  .strictObject({
    type: z.string(),
    reason: z.string(),
    message: z.string(),
    source: z.string(),
    count,
    lastAt: time.optional(),
  })
  .meta({ id: 'KubernetesEvent' })

export const podDetailSchema = z
  .strictObject({
    pod: podSchema,
    conditions: z.array(conditionSchema),
    events: z.array(eventSchema),
    /** Why the events could not be read. */
    eventsRefused: z.string().optional(),
    object: z.unknown(),
  })
  .meta({ id: 'PodDetail' })

const amounts = z.strictObject({ allocatable: z.number(), requested: z.number(), used: z.number().optional() })

export const nodeSchema = z
  .strictObject({
    name: z.string(),
    ready: z.boolean(),
    unschedulable: z.boolean(),
    taints: z.array(taintSchema),
    /** Milli-CPU and bytes. `used` by the metrics API of the cluster, where it has one. */
    cpu: amounts,
    memory: amounts,
    pods: z.array(
      z.strictObject({
        namespace: z.string(),
        name: z.string(),
        mark: podMarkSchema,
        createdAt: time,
        /** What controls it; for a pod of a Deployment, the Deployment. */
        owner: z.strictObject({ kind: z.string(), name: z.string() }).optional(),
      }),
    ),
  })
  .meta({ id: 'Node' })

export const memberNodesSchema = z
  .strictObject({
    nodes: z.array(nodeSchema),
    /** How many nodes and pods there are, if not all of them were read. */
    totals: z.strictObject({ nodes: count, pods: count }),
    /** Pods without a node. */
    pending: count,
    /** True if the cluster serves the metrics API to this user. */
    metrics: z.boolean(),
  })
  .meta({ id: 'ClusterNodes' })

export const objectSchema = z
  .strictObject({
    object: z.unknown(),
    events: z.array(eventSchema),
    /** Why the events could not be read. */
    eventsRefused: z.string().optional(),
  })
  .meta({ id: 'ObjectRead' })

export const objectPreviewSchema = z
  .strictObject({
    /** What the API server would store. */
    result: z.unknown(),
    /** The object as it is now. */
    live: z.unknown(),
  })
  .meta({ id: 'ObjectPreview' })
