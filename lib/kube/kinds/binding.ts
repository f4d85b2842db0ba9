/** `spec` and `status` of ResourceBinding and ClusterResourceBinding, which are the same for both. */
import {
  type Infer,
  anything,
  array,
  boolean,
  int32,
  int64,
  map,
  object,
  oneOf,
  quantity,
  string,
  time,
} from '../schema'
import { nodeSelector } from './affinity'
import { condition, reasonPattern } from './condition'
import { failoverBehavior } from './failover'
import { placement, toleration } from './placement'

/** One cluster of a scheduling result with its replicas, or with the replicas of each component. */
export const targetCluster = object(
  {
    components: array(object({ name: string(), replicas: int32() }, { required: ['name', 'replicas'] })),
    name: string(),
    replicas: int32(),
  },
  { required: ['name'] },
)

/** Which nodes a replica may run on. */
export const nodeClaim = object({
  hardNodeAffinity: nodeSelector,
  nodeSelector: map(string()),
  tolerations: array(toleration),
})

const requirementFields = { nodeClaim, priorityClassName: string(), resourceRequest: map(quantity()) }

/** Requirements of one replica. */
export const replicaRequirements = object({ namespace: string(), ...requirementFields })

/** One of several templates that make up a workload, with its replicas and what each of them needs. */
export const component = object(
  { name: string({ maxLength: 32 }), replicaRequirements: object(requirementFields), replicas: int32() },
  { required: ['name', 'replicas'] },
)

/** A cluster that the workload is leaving. */
export const gracefulEvictionTask = object(
  {
    clustersBeforeFailover: array(string()),
    creationTimestamp: time(),
    fromCluster: string(),
    gracePeriodSeconds: int32(),
    message: string({ maxLength: 1024 }),
    preservedLabelState: map(string()),
    producer: string(),
    purgeMode: oneOf(['Directly', 'Gracefully', 'Never']),
    reason: string({ maxLength: 32, minLength: 1, pattern: reasonPattern }),
    replicas: int32(),
    suppressDeletion: boolean(),
  },
  { required: ['fromCluster', 'producer', 'reason'] },
)

/** A cluster that the workload left because it failed there, and that it is kept away from for a while. */
export const activeEvictionHistory = object(
  { clusterName: string(), creationTimestamp: time() },
  { required: ['clusterName'] },
)

/** Status of a workload in one member cluster. */
export const aggregatedStatusItem = object(
  {
    applied: boolean(),
    appliedMessage: string(),
    clusterName: string(),
    /** Time of the first status. */
    creationTimestamp: time(),
    health: oneOf(['Healthy', 'Unhealthy', 'Unknown']),
    /** It was Healthy once. */
    settled: boolean(),
    status: anything(),
  },
  { required: ['clusterName'] },
)

/** The template that is bound, at the version that the binding was last made from. */
export const templateReference = object(
  {
    apiVersion: string(),
    kind: string(),
    name: string(),
    namespace: string(),
    resourceVersion: string(),
    uid: string(),
  },
  { required: ['apiVersion', 'kind', 'name'] },
)

/** A binding whose workload depends on this template. */
export const bindingSnapshot = object(
  { clusters: array(targetCluster), name: string(), namespace: string() },
  { required: ['name'] },
)

/** Suspended operations: dispatching to all clusters, dispatching to some clusters, or scheduling. */
export const bindingSuspension = object({
  dispatching: boolean(),
  dispatchingOnClusters: object({ clusterNames: array(string()) }),
  scheduling: boolean(),
})

/** `spec` of a binding. */
export const bindingSpec = object(
  {
    activeEvictionHistory: array(activeEvictionHistory),
    clusters: array(targetCluster),
    components: array(component),
    conflictResolution: oneOf(['Abort', 'Overwrite'], { default: 'Abort' }),
    failover: failoverBehavior,
    gracefulEvictionTasks: array(gracefulEvictionTask),
    placement,
    preserveResourcesOnDeletion: boolean(),
    propagateDeps: boolean(),
    replicaRequirements,
    replicas: int32(),
    requiredBy: array(bindingSnapshot),
    rescheduleTriggeredAt: time(),
    resource: templateReference,
    schedulePriority: object({ priority: int32({ default: 0 }) }),
    schedulerName: string(),
    suspension: bindingSuspension,
    workloadAffinityGroups: object({ affinityGroup: string(), antiAffinityGroup: string() }),
  },
  { required: ['resource'] },
)

/** `status` of a binding. */
export const bindingStatus = object({
  aggregatedStatus: array(aggregatedStatusItem),
  conditions: array(condition),
  lastScheduledTime: time(),
  schedulerObservedGeneration: int64(),
  schedulerObservingAffinityName: string(),
})

export type TargetCluster = Infer<typeof targetCluster>
export type ReplicaRequirements = Infer<typeof replicaRequirements>
export type BindingComponent = Infer<typeof component>
export type GracefulEvictionTask = Infer<typeof gracefulEvictionTask>
export type ActiveEvictionHistory = Infer<typeof activeEvictionHistory>
export type AggregatedStatusItem = Infer<typeof aggregatedStatusItem>
export type BindingSpec = Infer<typeof bindingSpec>
export type BindingStatus = Infer<typeof bindingStatus>
