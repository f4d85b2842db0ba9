/** The rules of Services. */
import { deepEqual } from '@/lib/std/equal'
import { fnv1a32 } from '@/lib/std/fnv'
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { Service } from '../kinds'
import type { UnknownObject } from '../object'
import type { WriteContext } from '../rules'
import { freeAddress } from '../service-range'
import { validateBlock, validateLoadBalancer } from './addresses'
import { checkDnsLabel, checkQualifiedName, checkSubdomain } from './formats'
import { validatePort, validatePortOrName } from './numbers'
import { validateLabels } from './object-meta'
import { validateAllocation, validateOutside } from './service-addresses'

type Spec = Service['spec']
type ServicePort = NonNullable<Spec['ports']>[number]

const PROTOCOLS = ['SCTP', 'TCP', 'UDP']
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const KUBELET_PORT = 10_250
const MAX_AFFINITY_LENGTH = 86_400

/**
 * Validates a Service: its ports, its addresses, and the fields that its type requires. Only headless and external
 * Services may have no ports.
 */
export function validateService(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const { spec, metadata } = object as unknown as Service
  const before = old as unknown as Service | undefined
  const portless = spec.clusterIP === 'None' || spec.type === 'ExternalName'
  return [
    ...validateTopology(metadata.annotations ?? {}),
    ...(portless || spec.ports?.length ? [] : [requiredField('spec.ports')]),
    ...validateType(spec),
    ...validatePorts(spec.ports ?? []),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...validateAffinity(spec),
    ...validateOutside(spec, before?.spec),
    ...validateChoice(spec.type, TYPES, 'spec.type'),
    ...validateNodePorts(spec),
    ...validateDistinctPorts(spec.ports ?? []),
    ...validateOldRanges(object as unknown as Service, before),
    ...validateBalancer(spec),
    ...validateTraffic(spec),
  ]
}

/** Addresses are given out before a Service is judged. */
export function allocateService(
  object: UnknownObject,
  old: UnknownObject | undefined,
  { dryRun }: WriteContext,
): FieldError[] {
  const service = object as unknown as Service
  const address = freeAddress(fnv1a32(service.metadata.uid ?? ''), new Set())
  return validateAllocation(service, { before: (old as unknown as Service | undefined)?.spec, address, dryRun })
}

function validateType(spec: Spec): FieldError[] {
  switch (spec.type) {
    case 'LoadBalancer':
      return [...validateExposure(spec.ports ?? []), ...refuseHeadless(spec)]
    case 'NodePort':
      return refuseHeadless(spec)
    case 'ExternalName':
      return validateExternal(spec)
    default:
      return []
  }
}

function validateExposure(ports: readonly ServicePort[]): FieldError[] {
  const rule = `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`
  return ports.flatMap(({ port }, index) =>
    port === KUBELET_PORT ? [invalidField(`spec.ports[${index}].port`, port, rule)] : [],
  )
}

function refuseHeadless({ clusterIP, type }: Spec): FieldError[] {
  if (clusterIP !== 'None') return []
  return [invalidField('spec.clusterIPs[0]', clusterIP, `may not be set to 'None' for ${type} services`)]
}

function validateExternal({ clusterIP, externalName = '' }: Spec): FieldError[] {
  const name = externalName.replace(/\.$/, '')
  return [
    ...(clusterIP ? [forbiddenField('spec.clusterIPs', 'may not be set for ExternalName services')] : []),
    ...(name
      ? checkSubdomain(name).map((problem) => invalidField('spec.externalName', name, problem))
      : [requiredField('spec.externalName')]),
  ]
}

function validatePorts(ports: readonly ServicePort[]): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`
    const named = validateName(port.name, `${field}.name`, { names, required: ports.length > 1 })
    const target = port.targetPort
    return [
      ...named,
      ...validatePort(port.port, `${field}.port`),
      ...validateChoice(port.protocol, PROTOCOLS, `${field}.protocol`),
      ...(target === undefined ? [] : validatePortOrName(target, `${field}.targetPort`)),
      ...(port.appProtocol === undefined ? [] : checkQualifiedName(port.appProtocol)).map((problem) =>
        invalidField(`${field}.appProtocol`, port.appProtocol, problem),
      ),
    ]
  })
}

interface Naming {
  names: Set<string>
  required: boolean
}

function validateName(name: string | undefined, field: string, { names, required }: Naming): FieldError[] {
  if (!name) return required ? [requiredField(field)] : []
  const twice = names.has(name) ? [duplicateField(field, name)] : []
  names.add(name)
  return [...checkDnsLabel(name).map((problem) => invalidField(field, name, problem)), ...twice]
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: Spec): FieldError[] {
  const field = 'spec.sessionAffinityConfig'
  if (sessionAffinity === 'None') {
    return sessionAffinityConfig ? [forbiddenField(field, 'must not be set when session affinity is None')] : []
  }
  if (sessionAffinity !== 'ClientIP') {
    return [unsupportedField('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None'])]
  }
  const { timeoutSeconds = 0 } = sessionAffinityConfig?.clientIP ?? {}
  if (timeoutSeconds > 0 && timeoutSeconds <= MAX_AFFINITY_LENGTH) return []
  const rule = `must be greater than 0 and less than ${MAX_AFFINITY_LENGTH}`
  return [invalidField(`${field}.clientIP.timeoutSeconds`, timeoutSeconds, rule)]
}

function validateNodePorts({ type, ports = [] }: Spec): FieldError[] {
  if (type !== 'ClusterIP') return []
  return ports.flatMap(({ nodePort }, index) =>
    nodePort ? [forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")] : [],
  )
}

/** No two ports are the same one, neither inside nor on the nodes. */
function validateDistinctPorts(ports: readonly ServicePort[]): FieldError[] {
  const [onNodes, inside] = [repeats(), repeats()]
  return [
    ...ports.flatMap(({ nodePort, protocol = 'TCP' }, index) =>
      nodePort && onNodes(`${protocol}/${nodePort}`) ? [duplicateField(`spec.ports[${index}].nodePort`, nodePort)] : [],
    ),
    ...ports.flatMap(({ port = 0, protocol = 'TCP' }, index) =>
      inside(`${protocol}/${port}`) ? [duplicateField(`spec.ports[${index}]`, keyOf(port, protocol))] : [],
    ),
  ]
}

/** The port as the server compares it. */
const keyOf = (port: number, protocol: string): object => ({
  Name: '',
  Protocol: protocol,
  AppProtocol: null,
  Port: port,
  TargetPort: 0,
  NodePort: 0,
})

const TOPOLOGY_MODE = 'service.kubernetes.io/topology-mode'
const TOPOLOGY_HINTS = 'service.kubernetes.io/topology-aware-hints'
const OLD_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges'

type Annotations = Readonly<Record<string, string>>

/** The old and the new name of an annotation say the same. */
function validateTopology({ [TOPOLOGY_MODE]: mode, [TOPOLOGY_HINTS]: hints }: Annotations): FieldError[] {
  if (mode === undefined || hints === undefined || mode === hints) return []
  const rule = `must match annotations[${TOPOLOGY_HINTS}] when both are specified`
  return [invalidField(`metadata.annotations[${TOPOLOGY_MODE}]`, mode, rule)]
}

const OF_BALANCERS = "may only be used when `type` is 'LoadBalancer'"

/** The annotation that came before a field for ranges counts where the field is not set. */
function validateOldRanges({ spec, metadata }: Service, before: Service | undefined): FieldError[] {
  const text = metadata.annotations?.[OLD_RANGES]
  if (text === undefined || spec.loadBalancerSourceRanges?.length) return []
  const field = `metadata.annotations[${OLD_RANGES}]`
  const ranges = before?.metadata.annotations?.[OLD_RANGES] === text || text.trim() === '' ? [] : text.split(',')
  return [
    ...(spec.type === 'LoadBalancer' ? [] : [forbiddenField(field, OF_BALANCERS)]),
    ...ranges.flatMap((range) => validateBlock(range.trim(), field)),
  ]
}

/** What only a load balancer has. */
function validateBalancer({ type, allocateLoadBalancerNodePorts, loadBalancerClass: name }: Spec): FieldError[] {
  const refuse = (field: string): FieldError => forbiddenField(`spec.${field}`, OF_BALANCERS)
  if (type === 'LoadBalancer')
    return (name === undefined ? [] : checkQualifiedName(name)).map((problem) =>
      invalidField('spec.loadBalancerClass', name, problem),
    )
  return [
    ...(allocateLoadBalancerNodePorts === undefined ? [] : [refuse('allocateLoadBalancerNodePorts')]),
    ...(name === undefined ? [] : [refuse('loadBalancerClass')]),
  ]
}

const EXTERNAL_POLICIES = ['Cluster', 'Local']
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode']

/** The traffic policies; the external one only where a Service is reachable from outside. */
function validateTraffic(spec: Spec): FieldError[] {
  const { externalTrafficPolicy: external, internalTrafficPolicy: internal, trafficDistribution: distribution } = spec
  const isReachable = spec.type === 'NodePort' || spec.type === 'LoadBalancer' || Boolean(spec.externalIPs?.length)
  const field = 'spec.externalTrafficPolicy'
  return [
    ...(external && !isReachable
      ? [invalidField(field, external, 'may only be set for externally-accessible services')]
      : []),
    ...(external && isReachable && !EXTERNAL_POLICIES.includes(external)
      ? [unsupportedField(field, external, EXTERNAL_POLICIES)]
      : []),
    ...validateHealthCheck(spec),
    ...validateChoice(internal, EXTERNAL_POLICIES, 'spec.internalTrafficPolicy'),
    ...validateChoice(distribution, DISTRIBUTIONS, 'spec.trafficDistribution'),
  ]
}

/** Nodes are asked where a balancer sends traffic to those alone that run a pod of the Service. */
function validateHealthCheck({ type, externalTrafficPolicy, healthCheckNodePort: port }: Spec): FieldError[] {
  const field = 'spec.healthCheckNodePort'
  if (!port) return []
  if (type === 'LoadBalancer' && externalTrafficPolicy === 'Local') return validatePort(port, field)
  const rule = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
  return [invalidField(field, port, rule)]
}

/** An address, once given, stays for as long as the Service is inside the cluster. */
export function validateServiceUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [spec, before] = [(next as unknown as Service).spec, (old as unknown as Service).spec]
  return [...validateKeptAddress(spec, before), ...validateKeptBalancer(spec, before)]
}

/** A load balancer stays the one that it is. */
function validateKeptBalancer(spec: Spec, before: Spec): FieldError[] {
  if (spec.type !== 'LoadBalancer' || before.type !== 'LoadBalancer') return []
  const isChecked = [spec, before].every(({ externalTrafficPolicy }) => externalTrafficPolicy === 'Local')
  return [
    ...(spec.loadBalancerClass === before.loadBalancerClass
      ? []
      : [invalidField('spec.loadBalancerClass', spec.loadBalancerClass ?? null, 'may not change once set')]),
    ...(isChecked && spec.healthCheckNodePort !== before.healthCheckNodePort
      ? [forbiddenField('spec.healthCheckNodePort', 'field is immutable')]
      : []),
  ]
}

function validateKeptAddress(spec: Spec, before: Spec): FieldError[] {
  if (spec.type === 'ExternalName' || before.type === 'ExternalName' || !before.clusterIP) return []
  if (deepEqual(spec.clusterIPs?.[0], before.clusterIPs?.[0])) return []
  return [invalidField('spec.clusterIPs[0]', spec.clusterIPs ?? null, 'may not change once set')]
}

/** The addresses at which a load balancer is reached. */
export function validateServiceStatus(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [{ status }, before] = [next as unknown as Service, old as unknown as Service]
  const hasModes = before.spec.type === 'LoadBalancer'
  return validateLoadBalancer(status?.loadBalancer, before.status?.loadBalancer, { hasModes })
}
