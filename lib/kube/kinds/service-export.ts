import { defineKind, type ObjectOf } from '../kind'
import { array, object } from '../schema'
import { condition } from './condition'

/** Offers the Service of the same name to other clusters. */
export const serviceExport = defineKind({
  group: 'multicluster.x-k8s.io',
  version: 'v1alpha1',
  kind: 'ServiceExport',
  plural: 'serviceexports',
  shortNames: ['svcex'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [{ jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' }],
  fields: object({
    status: object({
      conditions: array(condition, { 'x-kubernetes-list-map-keys': ['type'], 'x-kubernetes-list-type': 'map' }),
    }),
  }),
})

export type ServiceExport = ObjectOf<typeof serviceExport>
