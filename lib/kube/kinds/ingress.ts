import { defineKind, type ObjectOf } from '../kind'
import { type Infer, int32, object, oneOf, string } from '../schema'
import { atomicList, atomicStrings } from './lists'
import { typedLocalReference } from './object-reference'

const ingressBackend = object({
  resource: typedLocalReference,
  service: object(
    { name: string(), port: object({ name: string(), number: int32() }, { 'x-kubernetes-map-type': 'atomic' }) },
    { required: ['name'] },
  ),
})

const ingressPath = object(
  { backend: ingressBackend, path: string(), pathType: oneOf(['Exact', 'ImplementationSpecific', 'Prefix']) },
  { required: ['pathType', 'backend'] },
)

const loadBalancerPort = object(
  { error: string(), port: int32(), protocol: string() },
  { required: ['port', 'protocol'] },
)

/** Routes of HTTP requests from outside to services, by host and path. */
export const ingress = defineKind({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  shortNames: ['ing'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object({
        defaultBackend: ingressBackend,
        ingressClassName: string(),
        rules: atomicList(
          object({ host: string(), http: object({ paths: atomicList(ingressPath) }, { required: ['paths'] }) }),
        ),
        tls: atomicList(object({ hosts: atomicStrings(), secretName: string() })),
      }),
      status: object({
        loadBalancer: object({
          ingress: atomicList(object({ hostname: string(), ip: string(), ports: atomicList(loadBalancerPort) })),
        }),
      }),
    },
    { required: ['spec'] },
  ),
})

export type Ingress = ObjectOf<typeof ingress>
export type IngressBackend = Infer<typeof ingressBackend>
