import { defineKind, type ObjectOf } from '../kind'
import { type Infer, anything, array, boolean, integer, object, oneOf, string } from '../schema'
import { condition } from './condition'

/** Which manifest a status belongs to; `ordinal` counts from 0 in the order of the manifests. */
export const manifestIdentifier = object(
  {
    group: string(),
    kind: string(),
    name: string(),
    namespace: string(),
    ordinal: integer(),
    resource: string(),
    version: string(),
  },
  { required: ['kind', 'name', 'ordinal', 'resource', 'version'] },
)

/** The member's status of one manifest. */
export const manifestStatus = object(
  { health: oneOf(['Healthy', 'Unhealthy', 'Unknown']), identifier: manifestIdentifier, status: anything() },
  { required: ['identifier'] },
)

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
  fields: object(
    {
      spec: object({
        preserveResourcesOnDeletion: boolean(),
        suspendDispatching: boolean(),
        workload: object({ manifests: array(anything()) }),
      }),
      status: object({ conditions: array(condition), manifestStatuses: array(manifestStatus) }),
    },
    { required: ['spec'] },
  ),
})

export type Work = ObjectOf<typeof work>
export type ManifestStatus = Infer<typeof manifestStatus>
