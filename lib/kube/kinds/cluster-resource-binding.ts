import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { bindingSpec, bindingStatus } from './binding'

/** A cluster-scoped template bound to clusters. */
export const clusterResourceBinding = defineKind({
  group: 'work.karmada.io',
  version: 'v1alpha2',
  kind: 'ClusterResourceBinding',
  plural: 'clusterresourcebindings',
  shortNames: ['crb'],
  categories: ['karmada-io'],
  scope: 'Cluster',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { name: 'SCHEDULED', type: 'string', jsonPath: '.status.conditions[?(@.type=="Scheduled")].status' },
    { name: 'FULLYAPPLIED', type: 'string', jsonPath: '.status.conditions[?(@.type=="FullyApplied")].status' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  fields: object({ spec: bindingSpec, status: bindingStatus }, { required: ['spec'] }),
})

export type ClusterResourceBinding = ObjectOf<typeof clusterResourceBinding>
