import { defineKind, type ObjectOf } from '../kind'
import { boolean, int32, intOrString, map, object, oneOf, string } from '../schema'
import { condition } from './condition'
import { atomicList, atomicStrings, keyedList } from './lists'

const servicePort = object(
  {
    appProtocol: string(),
    name: string(),
    nodePort: int32(),
    port: int32(),
    protocol: oneOf(['SCTP', 'TCP', 'UDP'], { default: 'TCP' }),
    targetPort: intOrString(),
  },
  { required: ['port'] },
)

const ingressPoint = object({
  hostname: string(),
  ip: string(),
  ipMode: string(),
  ports: atomicList(object({ error: string(), port: int32(), protocol: string() }, { required: ['port', 'protocol'] })),
})

/** A stable address in front of pods. */
export const service = defineKind({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object({
        allocateLoadBalancerNodePorts: boolean(),
        clusterIP: string(),
        clusterIPs: atomicStrings(),
        externalIPs: atomicStrings(),
        externalName: string(),
        externalTrafficPolicy: string(),
        healthCheckNodePort: int32(),
        internalTrafficPolicy: string(),
        ipFamilies: atomicStrings(),
        ipFamilyPolicy: string(),
        loadBalancerClass: string(),
        loadBalancerIP: string(),
        loadBalancerSourceRanges: atomicStrings(),
        ports: keyedList(servicePort, 'port', ['port', 'protocol']),
        publishNotReadyAddresses: boolean(),
        selector: map(string(), { 'x-kubernetes-map-type': 'atomic' }),
        sessionAffinity: string(),
        sessionAffinityConfig: object({ clientIP: object({ timeoutSeconds: int32() }) }),
        trafficDistribution: string(),
        type: oneOf(['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
      }),
      status: object({
        conditions: keyedList(condition, 'type'),
        loadBalancer: object({ ingress: atomicList(ingressPoint) }),
      }),
    },
    { required: ['spec'] },
  ),
})

export type Service = ObjectOf<typeof service>
