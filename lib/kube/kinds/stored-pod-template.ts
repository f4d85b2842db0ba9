import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { podTemplate } from './pod-template'

/** A pod template as an object of its own. */
export const storedPodTemplate = defineKind({
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object({ template: podTemplate }),
})

export type StoredPodTemplate = ObjectOf<typeof storedPodTemplate>
