import { defineKind, type ObjectOf } from '../kind'
import { boolean, int32, object, oneOf, string } from '../schema'

/** A name for a priority of pods. */
export const priorityClass = defineKind({
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  scope: 'Cluster',
  origin: 'builtin',
  fields: object(
    {
      description: string(),
      globalDefault: boolean(),
      preemptionPolicy: oneOf(['PreemptLowerPriority', 'Never']),
      value: int32(),
    },
    { required: ['value'] },
  ),
})

export type PriorityClass = ObjectOf<typeof priorityClass>
