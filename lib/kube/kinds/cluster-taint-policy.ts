import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, object, string } from '../schema'
import { clusterAffinity } from './placement'

const matchCondition = object(
  { conditionType: string(), operator: string(), statusValues: array(string()) },
  { required: ['conditionType', 'operator', 'statusValues'] },
)

/** Puts taints on clusters, and takes them off, by the conditions of the clusters. */
export const clusterTaintPolicy = defineKind({
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  kind: 'ClusterTaintPolicy',
  plural: 'clustertaintpolicies',
  scope: 'Cluster',
  origin: 'crd',
  fields: object(
    {
      spec: object(
        {
          addOnConditions: array(matchCondition),
          removeOnConditions: array(matchCondition),
          taints: array(object({ effect: string(), key: string(), value: string() }, { required: ['effect', 'key'] }), {
            minItems: 1,
          }),
          targetClusters: clusterAffinity,
        },
        { required: ['taints'] },
      ),
    },
    { required: ['spec'] },
  ),
})

export type ClusterTaintPolicy = ObjectOf<typeof clusterTaintPolicy>
/** A condition of a cluster that adds or removes taints. */
export type ClusterConditionMatch = Infer<typeof matchCondition>
