import { defineKind, type ObjectOf } from '../kind'
import { int32, int64, intOrString, map, object, oneOf, time } from '../schema'
import { labelSelector } from './affinity'
import { condition } from './condition'
import { keyedList } from './lists'

/** How many pods of a set may be down at the same time on purpose. */
export const podDisruptionBudget = defineKind({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object({
        maxUnavailable: intOrString(),
        minAvailable: intOrString(),
        selector: { ...labelSelector, 'x-kubernetes-patch-strategy': 'replace' } as typeof labelSelector,
        unhealthyPodEvictionPolicy: oneOf(['AlwaysAllow', 'IfHealthyBudget']),
      }),
      status: object(
        {
          conditions: keyedList(condition, 'type'),
          currentHealthy: int32(),
          desiredHealthy: int32(),
          disruptedPods: map(time()),
          disruptionsAllowed: int32(),
          expectedPods: int32(),
          observedGeneration: int64(),
        },
        { required: ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] },
      ),
    },
    { required: ['spec'] },
  ),
})

export type PodDisruptionBudget = ObjectOf<typeof podDisruptionBudget>
