import { defineKind, type ObjectOf } from '../kind'
import { int32, intOrString, object, string } from '../schema'
import { labelSelector } from './affinity'
import { atomicList, atomicStrings } from './lists'

const peers = atomicList(
  object({
    ipBlock: object({ cidr: string(), except: atomicStrings() }, { required: ['cidr'] }),
    namespaceSelector: labelSelector,
    podSelector: labelSelector,
  }),
)
const ports = atomicList(object({ endPort: int32(), port: intOrString(), protocol: string() }))

/** Which traffic the chosen pods may receive and send. */
export const networkPolicy = defineKind({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object(
    {
      spec: object({
        egress: atomicList(object({ ports, to: peers })),
        ingress: atomicList(object({ from: peers, ports })),
        podSelector: labelSelector,
        policyTypes: atomicList(string()),
      }),
    },
    { required: ['spec'] },
  ),
})

export type NetworkPolicy = ObjectOf<typeof networkPolicy>
