import { defineKind, type ObjectOf } from '../kind'
import { int32, object, oneOf, string } from '../schema'
import { atomicList } from './lists'
import { objectReference } from './object-reference'

const endpointAddress = object(
  { hostname: string(), ip: string(), nodeName: string(), targetRef: objectReference },
  { required: ['ip'], 'x-kubernetes-map-type': 'atomic' },
)

const endpointPort = object(
  { appProtocol: string(), name: string(), port: int32(), protocol: oneOf(['SCTP', 'TCP', 'UDP']) },
  { required: ['port'], 'x-kubernetes-map-type': 'atomic' },
)

/** All addresses behind a service; the older form of EndpointSlice. */
export const endpoints = defineKind({
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  listKind: 'EndpointsList',
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  scope: 'Namespaced',
  origin: 'builtin',
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  fields: object({
    subsets: atomicList(
      object({
        addresses: atomicList(endpointAddress),
        notReadyAddresses: atomicList(endpointAddress),
        ports: atomicList(endpointPort),
      }),
    ),
  }),
})

export type Endpoints = ObjectOf<typeof endpoints>
