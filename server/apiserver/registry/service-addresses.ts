/**
 * Assigns cluster addresses and node ports of Services. Nothing routes to them; clients, tables and other objects
 * expect them.
 */
import { invalidError, invalidField } from '@/lib/kube/field-error'
import { resourceName } from '@/lib/kube/kind'
import { service as serviceKind, type Service } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { freeAddress, freeNodePort, problemOfNodePort } from '@/lib/kube/service-range'
import { fnv1a32 } from '@/lib/std/fnv'
import type { Scope } from '../api'

const SERVICES = resourceName(serviceKind)

type Spec = Service['spec']
type ServicePort = NonNullable<Spec['ports']>[number]

/**
 * The Service with its missing addresses and ports; any other object unchanged. Throws 422 for an address or port of
 * another Service. Valid only in the current turn.
 */
export function withAddresses(scope: Scope, object: UnknownObject): UnknownObject {
  if (scope.resource.id !== SERVICES) return object
  const { spec, metadata } = object as unknown as Service
  if (spec.type === 'ExternalName' || isComplete(spec)) return object
  const others = othersThan(scope, metadata.uid)
  const address =
    spec.clusterIP ?? freeAddress(fnv1a32(metadata.uid), new Set(others.map(({ clusterIP }) => clusterIP)))
  const ports = wantsNodePorts(spec) ? withNodePorts(object, others) : spec.ports
  return {
    ...object,
    spec: { ...spec, clusterIP: address, clusterIPs: spec.clusterIPs ?? [address], ...(ports && { ports }) },
  }
}

/** Nothing to assign; earlier assignments were checked then. */
function isComplete(spec: Spec): boolean {
  return spec.clusterIP !== undefined && !(wantsNodePorts(spec) && spec.ports?.some(({ nodePort }) => !nodePort))
}

function wantsNodePorts({ type, allocateLoadBalancerNodePorts = true }: Spec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts)
}

function othersThan({ api, keyspace }: Scope, uid: string): Spec[] {
  return api.store
    .list({ keyspace: keyspace.name, resource: SERVICES })
    .filter(({ value }) => value.metadata.uid !== uid)
    .map(({ value }) => (value as unknown as Service).spec)
}

function withNodePorts(object: UnknownObject, others: readonly Spec[]): ServicePort[] {
  const { spec, metadata } = object as unknown as Service
  const taken = new Set(others.flatMap(({ ports = [] }) => ports.map(({ nodePort }) => nodePort)))
  return (spec.ports ?? []).map((port, index) => {
    const nodePort = port.nodePort || freeNodePort(fnv1a32(`${metadata.uid}/${index}`), taken)
    const problem = port.nodePort ? problemOfNodePort(port.nodePort, taken) : undefined
    if (problem)
      throw invalidError(serviceKind, metadata.name, [invalidField(`spec.ports[${index}].nodePort`, nodePort, problem)])
    taken.add(nodePort)
    return { ...port, nodePort }
  })
}
