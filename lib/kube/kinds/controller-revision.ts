import { defineKind, type ObjectOf } from '../kind'
import { anything, int64, object } from '../schema'

/** A past state of a StatefulSet or DaemonSet, as its controller keeps it. */
export const controllerRevision = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object(
    { data: { ...anything(), 'x-kubernetes-map-type': 'atomic', 'x-or-any': true }, revision: int64() },
    { required: ['revision'] },
  ),
})

export type ControllerRevision = ObjectOf<typeof controllerRevision>
