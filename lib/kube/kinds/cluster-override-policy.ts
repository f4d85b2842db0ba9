import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { overrideSpec } from './override-spec'

/** How copies of templates of any scope differ from cluster to cluster. */
export const clusterOverridePolicy = defineKind({
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  kind: 'ClusterOverridePolicy',
  plural: 'clusteroverridepolicies',
  shortNames: ['cop'],
  categories: ['karmada-io'],
  scope: 'Cluster',
  origin: 'crd',
  subresources: { status: false },
  fields: object({ spec: overrideSpec }, { required: ['spec'] }),
})

export type ClusterOverridePolicy = ObjectOf<typeof clusterOverridePolicy>
