import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { bindingSpec, bindingStatus } from './binding'

/** A namespaced template bound to clusters: the scheduling request and its result. */
export const resourceBinding = defineKind({
  group: 'work.karmada.io',
  version: 'v1alpha2',
  kind: 'ResourceBinding',
  plural: 'resourcebindings',
  shortNames: ['rb'],
  categories: ['karmada-io'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { name: 'SCHEDULED', type: 'string', jsonPath: '.status.conditions[?(@.type=="Scheduled")].status' },
    { name: 'FULLYAPPLIED', type: 'string', jsonPath: '.status.conditions[?(@.type=="FullyApplied")].status' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  fields: object({ spec: bindingSpec, status: bindingStatus }, { required: ['spec'] }),
})

export type ResourceBinding = ObjectOf<typeof resourceBinding>
