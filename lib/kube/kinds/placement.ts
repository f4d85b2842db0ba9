/** Where replicas may run and how they are divided (policy.karmada.io/v1alpha1 Placement). */
import { type Infer, array, int64, integer, object, oneOf, string } from '../schema'
import { labelSelector, requirement, toleration } from './affinity'

export { labelSelector, toleration }

const affinityName = string({ maxLength: 32, minLength: 1 })

const affinityFields = {
  clusterNames: array(string()),
  exclude: array(string()),
  fieldSelector: object({ matchExpressions: array(requirement) }),
  labelSelector,
}

/** Restricts the candidate clusters by name, label or field; all parts must agree. */
export const clusterAffinity = object(affinityFields)

/** One named group of clusters; groups are tried in order, and a group may overflow into further ones. */
export const clusterAffinityTerm = object(
  {
    affinityName,
    ...affinityFields,
    overflowAffinities: array(object({ affinityName, ...affinityFields }, { required: ['affinityName'] })),
  },
  { required: ['affinityName'] },
)

/** How many groups of clusters a workload must or may spread over. */
export const spreadConstraint = object({
  maxGroups: integer(),
  minGroups: integer(),
  spreadByField: oneOf(['cluster', 'region', 'zone', 'provider']),
  spreadByLabel: string(),
})

/** Weights by which replicas are divided. */
export const clusterPreferences = object({
  dynamicWeight: oneOf(['AvailableReplicas']),
  staticWeightList: array(
    object(
      { targetCluster: clusterAffinity, weight: int64({ minimum: 1 }) },
      { required: ['targetCluster', 'weight'] },
    ),
  ),
})

/** Whether replicas are duplicated or divided, and how. */
export const replicaScheduling = object({
  replicaDivisionPreference: oneOf(['Aggregated', 'Weighted']),
  replicaSchedulingType: oneOf(['Duplicated', 'Divided'], { default: 'Divided' }),
  weightPreference: clusterPreferences,
})

const affinityGroup = object({ groupByLabelKey: string() }, { required: ['groupByLabelKey'] })

/** The whole placement. */
export const placement = object({
  clusterAffinities: array(clusterAffinityTerm),
  clusterAffinity,
  clusterTolerations: array(toleration),
  replicaScheduling,
  spreadConstraints: array(spreadConstraint),
  workloadAffinity: object({ affinity: affinityGroup, antiAffinity: affinityGroup }),
})

export type LabelSelector = Infer<typeof labelSelector>
export type ClusterAffinity = Infer<typeof clusterAffinity>
export type ClusterAffinityTerm = Infer<typeof clusterAffinityTerm>
export type Toleration = Infer<typeof toleration>
export type SpreadConstraint = Infer<typeof spreadConstraint>
export type ClusterPreferences = Infer<typeof clusterPreferences>
export type ReplicaScheduling = Infer<typeof replicaScheduling>
export type Placement = Infer<typeof placement>
