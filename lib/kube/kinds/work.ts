import { defineKind, type ObjectOf } from '../kind'
import { anything, array, boolean, int32, object, oneOf, string } from '../schema'
import { condition } from './condition'

/** The manifests that one member cluster has to run. */
export const work = defineKind({
  group: 'work.karmada.io',
  version: 'v1alpha1',
  kind: 'Work',
  plural: 'works',
  shortNames: ['wk'],
  categories: ['karmada-io'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { name: 'WORKLOAD-KIND', type: 'string', jsonPath: '.spec.workload.manifests[*].kind' },
    { name: 'APPLIED', type: 'string', jsonPath: '.status.conditions[?(@.type=="Applied")].status' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  fields: object({
    spec: object({
      preserveResourcesOnDeletion: boolean(),
      suspendDispatching: boolean(),
      workload: object({
        manifests: array(anything()),
      }),
    }),
    status: object({
      conditions: array(condition),
      manifestStatuses: array(object({
        health: oneOf(['Healthy', 'Unhealthy', 'Unknown']),
        identifier: object({
          group: string(),
          kind: string(),
          name: string(),
          namespace: string(),
          ordinal: int32(),
          resource: string(),
          version: string(),
        }, { required: ['kind', 'name', 'ordinal', 'resource', 'version'] }),
        status: anything(),
      }, { required: ['identifier'] })),
    }),
  }, { required: ['spec'] }),
})

export type Work = ObjectOf<typeof work>
