import { defineKind, type ObjectOf } from '../kind'
import { array, int32, object, oneOf, string } from '../schema'
import { atomicList } from './lists'

const port = object(
  { appProtocol: string(), name: string(), port: int32(), protocol: string() },
  { required: ['port'] },
)

const exporter = object({ cluster: string() }, { required: ['cluster'] })

/** A Service that other clusters export, as it is reached in this one. */
export const serviceImport = defineKind({
  group: 'multicluster.x-k8s.io',
  version: 'v1alpha1',
  kind: 'ServiceImport',
  plural: 'serviceimports',
  shortNames: ['svcim'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { jsonPath: '.spec.type', name: 'Type', type: 'string', description: 'The type of this ServiceImport' },
    { jsonPath: '.spec.ips', name: 'IP', type: 'string', description: 'The VIP for this ServiceImport' },
    { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
  ],
  fields: object({
    spec: object(
      {
        ips: array(string(), { maxItems: 1 }),
        ports: atomicList(port),
        sessionAffinity: string(),
        sessionAffinityConfig: object({ clientIP: object({ timeoutSeconds: int32() }) }),
        type: oneOf(['ClusterSetIP', 'Headless']),
      },
      { required: ['ports', 'type'] },
    ),
    status: object({
      clusters: array(exporter, { 'x-kubernetes-list-map-keys': ['cluster'], 'x-kubernetes-list-type': 'map' }),
    }),
  }),
})

export type ServiceImport = ObjectOf<typeof serviceImport>
