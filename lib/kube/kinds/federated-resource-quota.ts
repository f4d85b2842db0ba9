import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, map, object, quantity, string } from '../schema'

/** How much of each resource. */
const resourceList = map(quantity())

/** The share of one cluster, to be kept by a ResourceQuota there. */
export const staticClusterAssignment = object(
  { clusterName: string(), hard: resourceList },
  { required: ['clusterName', 'hard'] },
)

/** ResourceQuota status of one cluster. */
export const clusterQuotaStatus = object(
  { clusterName: string(), hard: resourceList, used: resourceList },
  { required: ['clusterName'] },
)

/** How much the workloads of a namespace may take over all clusters together. */
export const federatedResourceQuota = defineKind({
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  kind: 'FederatedResourceQuota',
  plural: 'federatedresourcequotas',
  categories: ['karmada-io'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { name: 'OVERALL', type: 'string', jsonPath: '.status.overall' },
    { name: 'OVERALL_USED', type: 'string', jsonPath: '.status.overallUsed' },
  ],
  fields: object(
    {
      spec: object(
        { overall: resourceList, staticAssignments: array(staticClusterAssignment) },
        { required: ['overall'] },
      ),
      status: object({ aggregatedStatus: array(clusterQuotaStatus), overall: resourceList, overallUsed: resourceList }),
    },
    { required: ['spec'] },
  ),
})

export type FederatedResourceQuota = ObjectOf<typeof federatedResourceQuota>
export type StaticClusterAssignment = Infer<typeof staticClusterAssignment>
