/** `spec` and `status` of ResourceBinding and ClusterResourceBinding, which are the same for both. */
import { type Infer, anything, array, boolean, int32, int64, map, object, oneOf, quantity, string, time } from '../schema'
import { condition } from './condition'
import { placement, toleration } from './placement'
import { failoverBehavior } from './failover'

/** One cluster of a scheduling result with its replicas. */
export const targetCluster = object({
  components: array(object({
    name: string(),
    replicas: int32(),
  }, { required: ['name', 'replicas'] })),
  name: string(),
  replicas: int32(),
}, { required: ['name'] })

/** What one replica needs. */
export const replicaRequirements = object({
  namespace: string(),
  nodeClaim: object({
    hardNodeAffinity: object({
      nodeSelectorTerms: array(object({
        matchExpressions: array(object({
          key: string(),
          operator: string(),
          values: array(string(), { 'x-kubernetes-list-type': 'atomic' }),
        }, { required: ['key', 'operator'] }), { 'x-kubernetes-list-type': 'atomic' }),
        matchFields: array(object({
          key: string(),
          operator: string(),
          values: array(string(), { 'x-kubernetes-list-type': 'atomic' }),
        }, { required: ['key', 'operator'] }), { 'x-kubernetes-list-type': 'atomic' }),
      }, { 'x-kubernetes-map-type': 'atomic' }), { 'x-kubernetes-list-type': 'atomic' }),
    }, { required: ['nodeSelectorTerms'], 'x-kubernetes-map-type': 'atomic' }),
    nodeSelector: map(string()),
    tolerations: array(toleration),
  }),
  priorityClassName: string(),
  resourceRequest: map(quantity()),
})

/** A cluster that the workload is leaving. */
export const gracefulEvictionTask = object({
  clustersBeforeFailover: array(string()),
  creationTimestamp: time(),
  fromCluster: string(),
  gracePeriodSeconds: int32(),
  message: string({ maxLength: 1024 }),
  preservedLabelState: map(string()),
  producer: string(),
  purgeMode: oneOf(['Directly', 'Gracefully', 'Never']),
  reason: string({ maxLength: 32, minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
  replicas: int32(),
  suppressDeletion: boolean(),
}, { required: ['fromCluster', 'producer', 'reason'] })

/** What one member cluster reports. */
export const aggregatedStatusItem = object({
  applied: boolean(),
  appliedMessage: string(),
  clusterName: string(),
  health: oneOf(['Healthy', 'Unhealthy', 'Unknown']),
  status: anything(),
}, { required: ['clusterName'] })

/** `spec` of a binding. */
export const bindingSpec = object({
  clusters: array(targetCluster),
  components: array(object({
    name: string({ maxLength: 32 }),
    replicaRequirements: object({
      nodeClaim: object({
        hardNodeAffinity: object({
          nodeSelectorTerms: array(object({
            matchExpressions: array(object({
              key: string(),
              operator: string(),
              values: array(string(), { 'x-kubernetes-list-type': 'atomic' }),
            }, { required: ['key', 'operator'] }), { 'x-kubernetes-list-type': 'atomic' }),
            matchFields: array(object({
              key: string(),
              operator: string(),
              values: array(string(), { 'x-kubernetes-list-type': 'atomic' }),
            }, { required: ['key', 'operator'] }), { 'x-kubernetes-list-type': 'atomic' }),
          }, { 'x-kubernetes-map-type': 'atomic' }), { 'x-kubernetes-list-type': 'atomic' }),
        }, { required: ['nodeSelectorTerms'], 'x-kubernetes-map-type': 'atomic' }),
        nodeSelector: map(string()),
        tolerations: array(toleration),
      }),
      priorityClassName: string(),
      resourceRequest: map(quantity()),
    }),
    replicas: int32(),
  }, { required: ['name', 'replicas'] })),
  conflictResolution: oneOf(['Abort', 'Overwrite'], { default: 'Abort' }),
  failover: failoverBehavior,
  gracefulEvictionTasks: array(gracefulEvictionTask),
  placement: placement,
  preserveResourcesOnDeletion: boolean(),
  propagateDeps: boolean(),
  replicaRequirements: replicaRequirements,
  replicas: int32(),
  requiredBy: array(object({
    clusters: array(targetCluster),
    name: string(),
    namespace: string(),
  }, { required: ['name'] })),
  rescheduleTriggeredAt: time(),
  resource: object({
    apiVersion: string(),
    kind: string(),
    name: string(),
    namespace: string(),
    resourceVersion: string(),
    uid: string(),
  }, { required: ['apiVersion', 'kind', 'name'] }),
  schedulePriority: object({
    priority: int32({ default: 0 }),
  }),
  schedulerName: string(),
  suspension: object({
    dispatching: boolean(),
    dispatchingOnClusters: object({
      clusterNames: array(string()),
    }),
    scheduling: boolean(),
  }),
  workloadAffinityGroups: object({
    affinityGroup: string(),
    antiAffinityGroup: string(),
  }),
}, { required: ['resource'] })

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
export type GracefulEvictionTask = Infer<typeof gracefulEvictionTask>
export type AggregatedStatusItem = Infer<typeof aggregatedStatusItem>
export type BindingSpec = Infer<typeof bindingSpec>
export type BindingStatus = Infer<typeof bindingStatus>
