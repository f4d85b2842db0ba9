/** Server-assigned fields of a Service that an update keeps, and those that are removed with its type. */
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import type { Service } from '../kinds'

type Spec = Service['spec']
type ServicePort = NonNullable<Spec['ports']>[number]

/** An updated Service: unchanged fields follow the new type. */
export function defaultServiceUpdate(next: Service, old: Service): Service {
  return { ...next, spec: withoutLeftovers(keepAllocated(next.spec, old.spec), old.spec) }
}

/** Addresses and node ports that an author left out although the server had given them. */
function keepAllocated(spec: Spec, before: Spec): Spec {
  if (!isInside(spec) || !isInside(before)) return spec
  const { clusterIP, clusterIPs } = before
  const lost = !spec.clusterIP && clusterIP !== undefined
  const address = lost ? { clusterIP, ...(clusterIPs && { clusterIPs }) } : renumbered(spec, before)
  return { ...spec, ...address, ...keptNodePorts(spec, before) }
}

/** Clients that know only one address change that one. */
function renumbered({ clusterIP, clusterIPs }: Spec, before: Spec): Partial<Spec> {
  if (!clusterIP || clusterIP === before.clusterIP || !deepEqual(clusterIPs, before.clusterIPs)) return {}
  return { clusterIPs: [clusterIP] }
}

function keptNodePorts(spec: Spec, before: Spec): Partial<Spec> {
  if (!spec.ports || !getsNodePorts(spec) || !getsNodePorts(before)) return {}
  const keyOf = ({ port, protocol }: ServicePort): string => `${port}/${protocol}`
  const known = new Map((before.ports ?? []).toReversed().map((port) => [keyOf(port), port.nodePort]))
  const ports = spec.ports.map((port) => {
    const nodePort = port.nodePort || known.get(keyOf(port))
    return nodePort ? { ...port, nodePort } : port
  })
  return { ports }
}

const isInside = ({ type }: Spec): boolean => type !== 'ExternalName'
const isOnNodes = ({ type }: Spec): boolean => type === 'NodePort' || type === 'LoadBalancer'

const getsNodePorts = (spec: Spec): boolean => isOnNodes(spec) && spec.allocateLoadBalancerNodePorts !== false

const OF_INSIDE = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'] as const
const OF_NODES = ['externalTrafficPolicy'] as const
const OF_BALANCERS = ['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'healthCheckNodePort'] as const

/** Fields of a type that the Service has no more go, unless the author gave them a new value. */
function withoutLeftovers(spec: Spec, before: Spec): Spec {
  const leftBehind = (needs: (spec: Spec) => boolean, names: readonly (keyof Spec)[]): (keyof Spec)[] =>
    needs(before) && !needs(spec) ? names.filter((name) => deepEqual(spec[name], before[name])) : []
  const rest = omit(
    spec,
    ...leftBehind(isInside, OF_INSIDE),
    ...leftBehind(isOnNodes, OF_NODES),
    ...leftBehind(({ type }) => type === 'LoadBalancer', OF_BALANCERS),
  ) as Spec
  if (!isOnNodes(before) || isOnNodes(spec) || !deepEqual(nodePortsOf(spec), nodePortsOf(before))) return rest
  return { ...rest, ...(rest.ports && { ports: rest.ports.map((port) => omit(port, 'nodePort') as ServicePort) }) }
}

const nodePortsOf = ({ ports = [] }: Spec): (number | undefined)[] => ports.map(({ nodePort }) => nodePort)
