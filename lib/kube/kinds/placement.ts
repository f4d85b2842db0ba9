/** Where replicas may run and how they are divided (policy.karmada.io/v1alpha1 Placement). */
import { type Infer, array, int32, int64, map, object, oneOf, string } from '../schema'

/** `metav1.LabelSelector`. */
export const labelSelector = object({
  matchExpressions: array(object({
    key: string(),
    operator: string(),
    values: array(string(), { 'x-kubernetes-list-type': 'atomic' }),
  }, { required: ['key', 'operator'] }), { 'x-kubernetes-list-type': 'atomic' }),
  matchLabels: map(string()),
}, { 'x-kubernetes-map-type': 'atomic' })

/** Restricts the candidate clusters by name, label or field. */
export const clusterAffinity = object({
  clusterNames: array(string()),
  exclude: array(string()),
  fieldSelector: object({
    matchExpressions: array(object({
      key: string(),
      operator: string(),
      values: array(string(), { 'x-kubernetes-list-type': 'atomic' }),
    }, { required: ['key', 'operator'] })),
  }),
  labelSelector: labelSelector,
})

/** One named group of clusters; groups are tried in order. */
export const clusterAffinityTerm = object({
  affinityName: string({ maxLength: 32, minLength: 1 }),
  clusterNames: array(string()),
  exclude: array(string()),
  fieldSelector: object({
    matchExpressions: array(object({
      key: string(),
      operator: string(),
      values: array(string(), { 'x-kubernetes-list-type': 'atomic' }),
    }, { required: ['key', 'operator'] })),
  }),
  labelSelector: labelSelector,
  overflowAffinities: array(object({
    affinityName: string({ maxLength: 32, minLength: 1 }),
    clusterNames: array(string()),
    exclude: array(string()),
    fieldSelector: object({
      matchExpressions: array(object({
        key: string(),
        operator: string(),
        values: array(string(), { 'x-kubernetes-list-type': 'atomic' }),
      }, { required: ['key', 'operator'] })),
    }),
    labelSelector: labelSelector,
  }, { required: ['affinityName'] })),
}, { required: ['affinityName'] })

/** `v1.Toleration` for taints of clusters. */
export const toleration = object({
  effect: string(),
  key: string(),
  operator: string(),
  tolerationSeconds: int64(),
  value: string(),
})

/** How many groups of clusters a workload must or may spread over. */
export const spreadConstraint = object({
  maxGroups: int32(),
  minGroups: int32(),
  spreadByField: oneOf(['cluster', 'region', 'zone', 'provider']),
  spreadByLabel: string(),
})

/** Weights by which replicas are divided. */
export const clusterPreferences = object({
  dynamicWeight: oneOf(['AvailableReplicas']),
  staticWeightList: array(object({
    targetCluster: clusterAffinity,
    weight: int64({ minimum: 1 }),
  }, { required: ['targetCluster', 'weight'] })),
})

/** Whether replicas are duplicated or divided, and how. */
export const replicaScheduling = object({
  replicaDivisionPreference: oneOf(['Aggregated', 'Weighted']),
  replicaSchedulingType: oneOf(['Duplicated', 'Divided'], { default: 'Divided' }),
  weightPreference: clusterPreferences,
})

/** The whole placement. */
export const placement = object({
  clusterAffinities: array(clusterAffinityTerm),
  clusterAffinity: clusterAffinity,
  clusterTolerations: array(toleration),
  replicaScheduling: replicaScheduling,
  spreadConstraints: array(spreadConstraint),
  workloadAffinity: object({
    affinity: object({
      groupByLabelKey: string(),
    }, { required: ['groupByLabelKey'] }),
    antiAffinity: object({
      groupByLabelKey: string(),
    }, { required: ['groupByLabelKey'] }),
  }),
})

export type LabelSelector = Infer<typeof labelSelector>
export type ClusterAffinity = Infer<typeof clusterAffinity>
export type ClusterAffinityTerm = Infer<typeof clusterAffinityTerm>
export type Toleration = Infer<typeof toleration>
export type SpreadConstraint = Infer<typeof spreadConstraint>
export type ClusterPreferences = Infer<typeof clusterPreferences>
export type ReplicaScheduling = Infer<typeof replicaScheduling>
export type Placement = Infer<typeof placement>
