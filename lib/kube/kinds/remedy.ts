import { defineKind, type ObjectOf } from '../kind'
import { array, object, oneOf, string } from '../schema'

const conditionMatch = object(
  { conditionStatus: string(), conditionType: string(), operator: oneOf(['Equal', 'NotEqual']) },
  { required: ['conditionStatus', 'conditionType', 'operator'] },
)

/** Actions to take for clusters whose conditions match. */
export const remedy = defineKind({
  group: 'remedy.karmada.io',
  version: 'v1alpha1',
  kind: 'Remedy',
  plural: 'remedies',
  categories: ['karmada-io'],
  scope: 'Cluster',
  origin: 'crd',
  fields: object(
    {
      spec: object({
        actions: array(string()),
        clusterAffinity: object({ clusterNames: array(string()) }),
        decisionMatches: array(object({ clusterConditionMatch: conditionMatch })),
      }),
    },
    { required: ['spec'] },
  ),
})

export type Remedy = ObjectOf<typeof remedy>
