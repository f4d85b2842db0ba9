/** Defaults of the core kinds, and fields that the server adds to new objects. */
import { encodeBase64 } from '@/lib/std/base64'
import { omit } from '@/lib/std/omit'
import type { Event, Namespace, Node, Pod, Secret, Service } from '../kinds'
import type { UnknownObject } from '../object'
import type { WriteContext } from '../rules'
import { canonical, defaultPodSpec } from './pod'
import { withGrace, withNodePorts, withPodResources } from './pod-as-whole'

const NAMESPACE_FINALIZER = 'kubernetes'
const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name'
const FIVE_MINUTES = 300

/** Specs that have their defaults: most writes of a Pod are about its status, and share its spec with the stored one. */
const complete = new WeakSet<Pod['spec']>()

/** The defaults of a Pod. */
export function defaultPod(pod: Pod): Pod {
  return { ...pod, spec: defaultSpec(pod.spec ?? {}), status: defaultPodStatus(pod.status ?? {}) }
}

function defaultSpec(given: Pod['spec']): Pod['spec'] {
  if (complete.has(given)) return given
  const defaulted = withGrace(withNodePorts(withPodResources(defaultPodSpec(given, { isTemplate: false }))))
  const spec = { ...defaulted, enableServiceLinks: defaulted.enableServiceLinks ?? true }
  complete.add(spec)
  return spec
}

type PodStatus = NonNullable<Pod['status']>

/** The addresses of a pod begin with its first one, and the states of a container are never absent. */
function defaultPodStatus(status: PodStatus): PodStatus {
  const { containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = status
  return {
    ...status,
    ...addressesOf(status),
    ...(containerStatuses && { containerStatuses: withStates(containerStatuses) }),
    ...(initContainerStatuses && { initContainerStatuses: withStates(initContainerStatuses) }),
    ...(ephemeralContainerStatuses && { ephemeralContainerStatuses: withStates(ephemeralContainerStatuses) }),
  }
}

function addressesOf({ podIP, podIPs = [] }: PodStatus): Pick<PodStatus, 'podIP' | 'podIPs'> {
  const [first] = podIPs
  if (!podIP) return first?.ip ? { podIP: first.ip } : {}
  return first?.ip === podIP ? {} : { podIPs: [{ ip: podIP }] }
}

function withStates(statuses: NonNullable<PodStatus['containerStatuses']>): typeof statuses {
  return statuses.map((one) => ({ ...one, lastState: one.lastState ?? {}, state: one.state ?? {} }))
}

/** What admission adds to a Pod: its priority, and patience with a failing node. An update keeps the priority. */
export function admitPod(object: UnknownObject, old?: UnknownObject): UnknownObject {
  const { spec } = object as unknown as Pod
  const before = (old as unknown as Pod | undefined)?.spec
  const admitted = {
    ...spec,
    tolerations: withNodeTolerations(spec.tolerations ?? []),
    priority: spec.priority ?? before?.priority ?? 0,
    preemptionPolicy: spec.preemptionPolicy ?? before?.preemptionPolicy ?? 'PreemptLowerPriority',
  }
  // None of these has a default.
  if (complete.has(spec)) complete.add(admitted)
  return { ...object, spec: admitted }
}

type Tolerations = NonNullable<Pod['spec']['tolerations']>

function withNodeTolerations(tolerations: Tolerations): Tolerations {
  const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
  const covered = (key: string): boolean =>
    tolerations.some(
      (toleration) =>
        (!toleration.key || toleration.key === key) && (!toleration.effect || toleration.effect === 'NoExecute'),
    )
  return [
    ...tolerations,
    ...keys
      .filter((key) => !covered(key))
      .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: FIVE_MINUTES })),
  ]
}

/** The class of a pod stays what it was. */
export function completePodStatus(next: UnknownObject, old: UnknownObject): UnknownObject {
  const status = (next.status ?? {}) as PodStatus
  const { qosClass } = (old.status ?? {}) as PodStatus
  return { ...next, status: { ...status, ...(qosClass && !status.qosClass && { qosClass }) } }
}

/** The status of a new Pod, which waits for its gates to open. */
export function startPod(object: UnknownObject, { now }: Pick<WriteContext, 'now'>): UnknownObject {
  const pod = object as unknown as Pod
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
  const conditions = pod.spec.schedulingGates?.length ? { conditions: [gated] } : {}
  // Of a status that is sent along, the class alone counts.
  const qosClass = pod.status?.qosClass || qosClassOf(pod)
  return { ...object, status: { phase: 'Pending', ...conditions, qosClass } }
}

/** The QoS class of a pod, by its requests and limits, or those of its containers. */
function qosClassOf({ spec }: Pod): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const resources = spec.resources
    ? [spec.resources]
    : [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((container) => container.resources ?? {})
  const says = (amounts: object | undefined): boolean =>
    Object.keys(amounts ?? {}).some((name) => name === 'cpu' || name === 'memory')
  if (!resources.some(({ limits, requests }) => says(limits) || says(requests))) return 'BestEffort'
  const exact = resources.every(({ limits = {}, requests = {} }) =>
    ['cpu', 'memory'].every((name) => limits[name] !== undefined && limits[name] === (requests[name] ?? limits[name])),
  )
  return exact ? 'Guaranteed' : 'Burstable'
}

/** A Service as an API server completes it; addresses are given out by the server itself. */
export function defaultService(service: Service): Service {
  const spec = withoutAffinity(service.spec ?? {})
  const type = spec.type ?? 'ClusterIP'
  return {
    ...service,
    spec: {
      ...spec,
      ...(spec.ports && {
        ports: spec.ports.map((port) => ({
          ...port,
          protocol: port.protocol ?? 'TCP',
          targetPort: port.targetPort || port.port || 0,
        })),
      }),
      type,
      ...affinityOf(spec),
      ...(type !== 'ExternalName' && { internalTrafficPolicy: spec.internalTrafficPolicy ?? 'Cluster' }),
      ...((type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && spec.externalIPs?.length)) && {
        externalTrafficPolicy: spec.externalTrafficPolicy ?? 'Cluster',
      }),
      ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: spec.allocateLoadBalancerNodePorts ?? true }),
    },
    status: { ...service.status, loadBalancer: defaultLoadBalancer(service.status?.loadBalancer ?? {}, type) },
  }
}

type LoadBalancer = NonNullable<NonNullable<Service['status']>['loadBalancer']>

/** Traffic that a load balancer sends on still names its address. */
function defaultLoadBalancer(balancer: LoadBalancer, type: string): LoadBalancer {
  const lacksMode = ({ ip, ipMode }: NonNullable<LoadBalancer['ingress']>[number]): boolean =>
    !!ip && ipMode === undefined
  if (type !== 'LoadBalancer' || !balancer.ingress?.some(lacksMode)) return balancer
  return { ...balancer, ingress: balancer.ingress.map((one) => (lacksMode(one) ? { ...one, ipMode: 'VIP' } : one)) }
}

/** What the server gives to a Service itself: families of addresses. Addresses are given out by the API server. */
export function placeService(object: UnknownObject, old?: UnknownObject): UnknownObject {
  const [{ spec }, before] = [object, old] as unknown as [Service, Service | undefined]
  if (spec.type === 'ExternalName') return object
  // What has an address keeps it.
  const address = spec.clusterIP || (before?.spec.type === 'ExternalName' ? undefined : before?.spec.clusterIP)
  return { ...object, spec: { ...spec, ...familiesOf(spec, address) } }
}

/** How long a client stays with a pod says nothing where it does not stay. */
function withoutAffinity(spec: Service['spec']): Service['spec'] {
  return (spec.sessionAffinity || 'None') === 'None' ? omit(spec, 'sessionAffinityConfig') : spec
}

function affinityOf({ sessionAffinity: given, sessionAffinityConfig }: Service['spec']): Partial<Service['spec']> {
  const sessionAffinity = given || 'None'
  if (sessionAffinity !== 'ClientIP') return { sessionAffinity }
  const { clientIP } = sessionAffinityConfig ?? {}
  return { sessionAffinity, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800, ...clientIP } } }
}

/** Without a selector the address families of a headless Service are unknown. */
function familiesOf(spec: Service['spec'], address: string | undefined): Partial<Service['spec']> {
  const open = address === 'None' && !spec.selector
  // An address of a family that the server does not have is refused by what it is.
  const isForeign = spec.clusterIP?.includes(':') ?? false
  const families = spec.ipFamilies ?? (open ? ['IPv4', 'IPv6'] : isForeign ? undefined : ['IPv4'])
  return {
    ...(spec.clusterIP && { clusterIPs: spec.clusterIPs ?? [spec.clusterIP] }),
    ...(families && { ipFamilies: families }),
    ipFamilyPolicy: spec.ipFamilyPolicy ?? (open ? 'RequireDualStack' : 'SingleStack'),
  }
}

/** A Secret as an API server completes it: `stringData` is write-only and becomes `data`. */
export function defaultSecret({ stringData, ...secret }: Secret): Secret {
  const data = { ...secret.data, ...encodeAll(stringData ?? {}) }
  return { ...secret, ...(Object.keys(data).length > 0 && { data }), type: secret.type ?? 'Opaque' }
}

function encodeAll(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, encodeBase64(text)]))
}

/** A Namespace always carries its own name as a label, so that selectors can name namespaces. */
export function defaultNamespace(namespace: Namespace): Namespace {
  const { metadata } = namespace
  const labels = metadata.name ? { ...metadata.labels, [NAMESPACE_NAME_LABEL]: metadata.name } : metadata.labels
  const status = { ...namespace.status, phase: namespace.status?.phase || ('Active' as const) }
  return { ...namespace, metadata: { ...metadata, ...(labels && { labels }) }, spec: namespace.spec ?? {}, status }
}

/** A new Namespace is active and held by the namespace controller. */
export function startNamespace(object: UnknownObject): UnknownObject {
  const finalizers = (object as Namespace).spec?.finalizers ?? []
  const held = finalizers.includes(NAMESPACE_FINALIZER) ? finalizers : [...finalizers, NAMESPACE_FINALIZER]
  return { ...object, spec: { finalizers: held }, status: { phase: 'Active' } }
}

/** An Event shows its newer fields even if they are not set. */
export function defaultEvent(event: Event): Event {
  const shown = {
    eventTime: null,
    firstTimestamp: null,
    lastTimestamp: null,
    reportingComponent: '',
    reportingInstance: '',
    source: {},
  }
  return { ...shown, ...event } as unknown as Event
}

/** Node information that was not reported is empty. */
const NODE_INFO = {
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: '',
  osImage: '',
  containerRuntimeVersion: '',
  kubeletVersion: '',
  kubeProxyVersion: '',
  operatingSystem: '',
  architecture: '',
}

/** The first block of a node's pods has a field of its own, which older clients know alone. */
function withPodBlocks(spec: NonNullable<Node['spec']>): NonNullable<Node['spec']> {
  const { podCIDR, podCIDRs = [] } = spec
  const blocks = podCIDR && podCIDR !== podCIDRs[0] ? [podCIDR] : podCIDRs
  return blocks.length === 0 ? spec : { ...spec, podCIDR: blocks[0]!, podCIDRs: blocks }
}

type Image = NonNullable<NonNullable<Node['status']>['images']>[number]

/** A Node as an API server completes it: amounts in canonical form. */
export function defaultNode(node: Node): Node {
  const status = node.status ?? {}
  return {
    ...node,
    spec: withPodBlocks(node.spec ?? {}),
    status: {
      ...status,
      ...(status.capacity && { capacity: canonical(status.capacity) }),
      ...((status.allocatable ?? status.capacity)
        ? { allocatable: canonical(status.allocatable ?? status.capacity ?? {}) }
        : {}),
      ...(status.images && {
        images: status.images.map(({ names = null, ...image }) => ({ names, ...image }) as Image),
      }),
      nodeInfo: { ...NODE_INFO, ...status.nodeInfo },
      daemonEndpoints: status.daemonEndpoints ?? { kubeletEndpoint: { Port: 0 } },
    },
  }
}
