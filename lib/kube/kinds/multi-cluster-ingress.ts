import { defineKind, type ObjectOf } from '../kind'
import { array, int32, object, string } from '../schema'
import { atomicList, atomicStrings } from './lists'
import { balancerPort } from './multi-cluster-service'
import { typedLocalReference } from './object-reference'

const backend = object({
  resource: typedLocalReference,
  service: object(
    { name: string(), port: object({ name: string(), number: int32() }, { 'x-kubernetes-map-type': 'atomic' }) },
    { required: ['name'] },
  ),
})

const path = object({ backend, path: string(), pathType: string() }, { required: ['backend', 'pathType'] })

/** Routes of HTTP requests from outside to Services of several clusters. */
export const multiClusterIngress = defineKind({
  group: 'networking.karmada.io',
  version: 'v1alpha1',
  kind: 'MultiClusterIngress',
  plural: 'multiclusteringresses',
  shortNames: ['mci'],
  categories: ['karmada-io'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  fields: object({
    spec: object({
      defaultBackend: backend,
      ingressClassName: string(),
      rules: atomicList(object({ host: string(), http: object({ paths: atomicList(path) }, { required: ['paths'] }) })),
      tls: atomicList(object({ hosts: atomicStrings(), secretName: string() })),
    }),
    status: object({
      loadBalancer: object({
        ingress: atomicList(object({ hostname: string(), ip: string(), ports: atomicList(balancerPort) })),
      }),
      serviceLocations: array(object({ clusters: array(string()), name: string() }, { required: ['name'] })),
      trafficBlockClusters: array(string()),
    }),
  }),
})

export type MultiClusterIngress = ObjectOf<typeof multiClusterIngress>
