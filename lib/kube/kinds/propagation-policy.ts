import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { propagationSpec } from './propagation-spec'

/** Which templates of a namespace go to which clusters. */
export const propagationPolicy = defineKind({
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  kind: 'PropagationPolicy',
  plural: 'propagationpolicies',
  shortNames: ['pp'],
  categories: ['karmada-io'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: false },
  printerColumns: [
    { name: 'CONFLICT-RESOLUTION', type: 'string', jsonPath: '.spec.conflictResolution' },
    { name: 'PRIORITY', type: 'string', jsonPath: '.spec.priority' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  fields: object({ spec: propagationSpec }, { required: ['spec'] }),
})

export type PropagationPolicy = ObjectOf<typeof propagationPolicy>
