/** A kind with every way in which a list or map can be shared. For tests. */
import { defineKind } from '../kind'
import { anything, array, map, object, string } from '../schema'

const item = object({ name: string(), v: string(), w: string() }, { required: ['name'] })

export const widget = defineKind({
  group: 'ex.test',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  fields: object({
    spec: object({
      a: string(),
      b: string(),
      labels: map(string()),
      one: map(string(), { 'x-kubernetes-map-type': 'atomic' }),
      atoms: array(string()),
      set: array(string(), { 'x-kubernetes-list-type': 'set' }),
      items: array(item, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
      free: anything(),
    }),
    status: object({ phase: string() }),
  }),
})
