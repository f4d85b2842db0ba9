import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { propagationSpec } from './propagation-spec'

/** Which templates of any scope go to which clusters. */
export const clusterPropagationPolicy = defineKind({
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  kind: 'ClusterPropagationPolicy',
  plural: 'clusterpropagationpolicies',
  shortNames: ['cpp'],
  categories: ['karmada-io'],
  scope: 'Cluster',
  origin: 'crd',
  subresources: { status: false },
  printerColumns: [
    { name: 'CONFLICT-RESOLUTION', type: 'string', jsonPath: '.spec.conflictResolution' },
    { name: 'PRIORITY', type: 'string', jsonPath: '.spec.priority' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  fields: object({ spec: propagationSpec }, { required: ['spec'] }),
})

export type ClusterPropagationPolicy = ObjectOf<typeof clusterPropagationPolicy>
