/**
 * What a Service is given by the server: an address inside the cluster, and ports on its nodes. Nothing routes to them;
 * they are there because clients, tables and other objects count on them.
 */
import { invalidError, invalidField } from '@/lib/kube/field-error'
import { resourceName } from '@/lib/kube/kind'
import { service as serviceKind, type Service } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { fnv1a32 } from '@/lib/std/fnv'
import type { Scope } from '../api'

const SERVICES = resourceName(serviceKind)
const FIRST_NODE_PORT = 30_000
const LAST_NODE_PORT = 32_767
/** Addresses are taken from 10.96.0.0/12. */
const ADDRESSES = 1 << 20

type Spec = Service['spec']
type ServicePort = NonNullable<Spec['ports']>[number]

/**
 * A Service with everything that it lacks; any other object as it is. Throws 422 for an address or port that another
 * Service has. Valid only in the turn in which it is asked for.
 */
export function withAddresses(scope: Scope, object: UnknownObject): UnknownObject {
  if (scope.resource.id !== SERVICES) return object
  const { spec, metadata } = object as unknown as Service
  if (spec.type === 'ExternalName' || isComplete(spec)) return object
  const others = othersThan(scope, metadata.uid)
  const address = spec.clusterIP ?? freeAddress(fnv1a32(metadata.uid), new Set(others.map(({ clusterIP }) => clusterIP)))
  const ports = wantsNodePorts(spec) ? withNodePorts(object, others) : spec.ports
  return { ...object, spec: { ...spec, clusterIP: address, clusterIPs: spec.clusterIPs ?? [address], ...(ports && { ports }) } }
}

/** Nothing is left to give: what was given before was checked then. */
function isComplete(spec: Spec): boolean {
  return spec.clusterIP !== undefined && !(wantsNodePorts(spec) && spec.ports?.some(({ nodePort }) => !nodePort))
}

function wantsNodePorts({ type, allocateLoadBalancerNodePorts = true }: Spec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts)
}

function othersThan({ api, realm }: Scope, uid: string): Spec[] {
  return api.store.list({ realm: realm.name, resource: SERVICES })
    .filter(({ value }) => value.metadata.uid !== uid)
    .map(({ value }) => (value as unknown as Service).spec)
}

function freeAddress(seed: number, taken: ReadonlySet<string | undefined>): string {
  for (let offset = seed; ; offset++) {
    const number = 2 + (offset % (ADDRESSES - 4))
    const address = `10.${96 + (number >>> 16)}.${(number >>> 8) & 255}.${number & 255}`
    if (!taken.has(address)) return address
  }
}

/** True for an address of the range that Services are given theirs from. */
export function isGivenAddress(address: string): boolean {
  return /^10\.(9[6-9]|10\d|11[01])\./.test(address)
}

function withNodePorts(object: UnknownObject, others: readonly Spec[]): ServicePort[] {
  const { spec, metadata } = object as unknown as Service
  const taken = new Set(others.flatMap(({ ports = [] }) => ports.map(({ nodePort }) => nodePort)))
  return (spec.ports ?? []).map((port, index) => {
    const nodePort = port.nodePort || freePort(fnv1a32(`${metadata.uid}/${index}`), taken)
    const problem = port.nodePort ? problemOf(port.nodePort, taken) : undefined
    if (problem) throw invalidError(serviceKind, metadata.name, [invalidField(`spec.ports[${index}].nodePort`, nodePort, problem)])
    taken.add(nodePort)
    return { ...port, nodePort }
  })
}

function problemOf(port: number, taken: ReadonlySet<number | undefined>): string | undefined {
  if (port < FIRST_NODE_PORT || port > LAST_NODE_PORT) {
    return `provided port is not in the valid range. The range of valid ports is ${FIRST_NODE_PORT}-${LAST_NODE_PORT}`
  }
  return taken.has(port) ? 'provided port is already allocated' : undefined
}

/** Throws when every port is taken. */
function freePort(seed: number, taken: ReadonlySet<number | undefined>): number {
  const count = LAST_NODE_PORT - FIRST_NODE_PORT + 1
  for (let offset = 0; offset < count; offset++) {
    const port = FIRST_NODE_PORT + ((seed + offset) % count)
    if (!taken.has(port)) return port
  }
  throw new Error('every port of the nodes is taken')
}
