import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { overrideSpec } from './override-spec'

/** How copies of the templates of a namespace differ from cluster to cluster. */
export const overridePolicy = defineKind({
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  kind: 'OverridePolicy',
  plural: 'overridepolicies',
  shortNames: ['op'],
  categories: ['karmada-io'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: false },
  fields: object({ spec: overrideSpec }, { required: ['spec'] }),
})

export type OverridePolicy = ObjectOf<typeof overridePolicy>
