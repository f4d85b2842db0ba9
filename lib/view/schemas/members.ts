/**
 * Schemas of objects in a member cluster, read with the user's identity: pods, nodes, events, objects.
 * `member-model.ts` derives its types from them.
 */
import { z } from 'zod'
import { count, conditionSchema, taintSchema, time } from './fleet'

/** Symbol of a pod. */
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
    /** An earlier container has ended, whose log is available too. */
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
    /** Why it is not ready, as reported by the cluster. */
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
    /** Absent: the object does not exist in the member. */
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
    /** Number of pods, if not all of them were read. */
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
    /** Millicores and bytes. `used` is from the cluster's metrics API, if it has one. */
    cpu: amounts,
    memory: amounts,
    pods: z.array(
      z.strictObject({
        namespace: z.string(),
        name: z.string(),
        mark: podMarkSchema,
        createdAt: time,
        /** The controlling owner; for a pod of a Deployment, the Deployment. */
        owner: z.strictObject({ kind: z.string(), name: z.string() }).optional(),
      }),
    ),
  })
  .meta({ id: 'Node' })

export const memberNodesSchema = z
  .strictObject({
    nodes: z.array(nodeSchema),
    /** Numbers of nodes and pods, if not all of them were read. */
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
    /** The current object. */
    live: z.unknown(),
  })
  .meta({ id: 'ObjectPreview' })
