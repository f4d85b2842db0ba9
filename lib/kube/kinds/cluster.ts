import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, boolean, int32, map, object, quantity, string, time } from '../schema'
import { condition } from './condition'

const secretReference = object({ name: string(), namespace: string() }, { required: ['namespace', 'name'] })

/** One grade of node sizes: a node belongs to the highest grade whose ranges all hold it. */
export const resourceModel = object(
  {
    grade: int32(),
    ranges: array(object({ max: quantity(), min: quantity(), name: string() }, { required: ['name', 'min', 'max'] })),
  },
  { required: ['grade', 'ranges'] },
)

/** A mark that keeps workloads away from the cluster. */
export const clusterTaint = object(
  { effect: string(), key: string(), timeAdded: time(), value: string() },
  { required: ['key', 'effect'] },
)

/** Which resources the cluster serves in one group and version. */
export const apiEnablement = object(
  {
    groupVersion: string(),
    resources: array(object({ kind: string(), name: string() }, { required: ['name', 'kind'] })),
  },
  { required: ['groupVersion'] },
)

/** Capacity and usage of the cluster's nodes: bound pods (`allocated`) and pending ones (`allocating`). */
export const resourceSummary = object({
  allocatable: map(quantity()),
  allocatableModelings: array(object({ count: int32(), grade: int32() }, { required: ['grade', 'count'] })),
  allocated: map(quantity()),
  allocating: map(quantity()),
})

/** A member cluster of the federation. */
export const cluster = defineKind({
  group: 'cluster.karmada.io',
  version: 'v1alpha1',
  kind: 'Cluster',
  plural: 'clusters',
  shortNames: ['cl'],
  categories: ['karmada-io'],
  scope: 'Cluster',
  origin: 'aggregated',
  subresources: { status: true },
  printerColumns: [
    { name: 'Version', type: 'string', jsonPath: '.status.kubernetesVersion' },
    { name: 'Mode', type: 'string', jsonPath: '.spec.syncMode' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'APIEndpoint', type: 'string', jsonPath: '.spec.apiEndpoint', priority: 1 },
  ],
  fields: object(
    {
      spec: object(
        {
          apiEndpoint: string(),
          id: string(),
          impersonatorSecretRef: secretReference,
          insecureSkipTLSVerification: boolean(),
          provider: string(),
          proxyHeader: map(string()),
          proxyURL: string(),
          region: string(),
          resourceModels: array(resourceModel),
          secretRef: secretReference,
          syncMode: string(),
          taints: array(clusterTaint),
          zone: string(),
          zones: array(string()),
        },
        { required: ['syncMode'] },
      ),
      status: object({
        apiEnablements: array(apiEnablement),
        conditions: array(condition),
        kubernetesVersion: string(),
        nodeSummary: object({ readyNum: int32(), totalNum: int32() }),
        remedyActions: array(string()),
        resourceSummary,
      }),
    },
    { required: ['spec'] },
  ),
})

export type Cluster = ObjectOf<typeof cluster>
export type ResourceModel = Infer<typeof resourceModel>
export type ResourceSummary = Infer<typeof resourceSummary>
