import { defineKind, type ObjectOf } from '../kind'
import { array, boolean, int32, map, object, oneOf, string } from '../schema'
import { atomicList } from './lists'
import { objectReference } from './object-reference'

const endpointHints = object({
  forNodes: atomicList(object({ name: string() }, { required: ['name'] })),
  forZones: atomicList(object({ name: string() }, { required: ['name'] })),
})

/** A part of the addresses behind a service. */
export const endpointSlice = defineKind({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object(
    {
      addressType: oneOf(['FQDN', 'IPv4', 'IPv6']),
      endpoints: atomicList(
        object(
          {
            addresses: array(string(), { 'x-kubernetes-list-type': 'set' }),
            conditions: object({ ready: boolean(), serving: boolean(), terminating: boolean() }),
            deprecatedTopology: map(string()),
            hints: endpointHints,
            hostname: string(),
            nodeName: string(),
            targetRef: objectReference,
            zone: string(),
          },
          { required: ['addresses'] },
        ),
      ),
      ports: atomicList(
        object(
          { appProtocol: string(), name: string(), port: int32(), protocol: oneOf(['SCTP', 'TCP', 'UDP']) },
          { 'x-kubernetes-map-type': 'atomic' },
        ),
      ),
    },
    { required: ['addressType', 'endpoints'] },
  ),
})

export type EndpointSlice = ObjectOf<typeof endpointSlice>
