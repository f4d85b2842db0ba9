/** What is said of single kinds besides their pods, in the order of kube-apiserver. */
import type {
  Endpoints,
  EndpointSlice,
  Ingress,
  Job,
  NetworkPolicy,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
  StorageClass,
} from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { ownField } from '@/lib/std/fields'
import { addressWarnings, blockWarnings } from './addresses'
import { claimWarnings } from './amounts'
import { adviceOnLabel, termWarnings } from './pod-scheduling'
import { keyPairWarnings } from './tls-secret'
import { sourceWarnings } from './volume-sources'

/** A list that is required is kept as null where there is none. */
const listed = <T>(list: readonly T[] | null | undefined): readonly T[] => list ?? []

type Advice = (object: UnknownObject, old: UnknownObject | undefined) => string[]

const annotated = ({ metadata }: UnknownObject, name: string): boolean =>
  Object.hasOwn(metadata.annotations ?? {}, name)

const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class'
const USE_CLASS = 'deprecated since v1.8; use "storageClassName" attribute instead'

function ofClaim(object: UnknownObject): string[] {
  const { spec } = object as unknown as PersistentVolumeClaim
  return [
    ...(annotated(object, OLD_CLASS) ? [`metadata.annotations[${OLD_CLASS}]: ${USE_CLASS}`] : []),
    ...claimWarnings(spec, 'spec'),
  ]
}

const OLD_OPTIONS = 'volume.beta.kubernetes.io/mount-options'
/** Sources of which upstream warns in a PersistentVolume, in its order. */
const OLD_SOURCES = ['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'rbd']

function ofVolume(object: UnknownObject): string[] {
  const { spec } = object as unknown as PersistentVolume
  return [
    ...(annotated(object, OLD_CLASS) ? [`metadata.annotations[${OLD_CLASS}]: ${USE_CLASS}`] : []),
    ...(annotated(object, OLD_OPTIONS)
      ? [`metadata.annotations[${OLD_OPTIONS}]: deprecated since v1.31; use "mountOptions" attribute instead`]
      : []),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. '
            + 'Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      termWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...OLD_SOURCES.filter((source) => Object.hasOwn(spec, source)).flatMap((source) => sourceWarnings(source, 'spec')),
  ]
}

const OLD_HINTS = 'service.kubernetes.io/topology-aware-hints'

function ofService(object: UnknownObject): string[] {
  const { spec = {} } = object as unknown as Service
  const { type = 'ClusterIP', clusterIP = '', clusterIPs = [], externalIPs = [], loadBalancerIP = '' } = spec
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None'
  const isNamed = type === 'ExternalName'
  const all = (addresses: readonly string[], field: string): string[] =>
    addresses.flatMap((address, index) => addressWarnings(address, `spec.${field}[${index}]`))
  const when = (holds: boolean, text: string): string[] => (holds ? [text] : [])
  return [
    ...when(
      annotated(object, OLD_HINTS),
      `annotation ${OLD_HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    ),
    ...(clusterIP !== '' && clusterIP !== 'None' ? all(clusterIPs, 'clusterIPs') : []),
    ...when(isHeadless && loadBalancerIP !== '', 'spec.loadBalancerIP is ignored for headless services'),
    ...when(isHeadless && externalIPs.length > 0, 'spec.externalIPs is ignored for headless services'),
    ...when(
      isHeadless && spec.sessionAffinity !== undefined && spec.sessionAffinity !== 'None',
      'spec.SessionAffinity is ignored for headless services',
    ),
    ...all(externalIPs, 'externalIPs'),
    ...when(
      externalIPs.length > 0 && !isHeadless && !isNamed,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ),
    ...(loadBalancerIP === '' ? [] : addressWarnings(loadBalancerIP, 'spec.loadBalancerIP')),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((block, index) =>
      blockWarnings(block, `spec.loadBalancerSourceRanges[${index}]`),
    ),
    ...when(isNamed && externalIPs.length > 0, 'spec.externalIPs is ignored when spec.type is "ExternalName"'),
    ...when(
      !isNamed && Boolean(spec.externalName),
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ),
    ...when(
      spec.trafficDistribution === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ),
  ]
}

function ofNode(object: UnknownObject): string[] {
  const { configSource, externalID, podCIDRs = [] } = (object as unknown as Node).spec ?? {}
  return [
    ...(configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...podCIDRs.flatMap((block, index) => blockWarnings(block, `spec.podCIDRs[${index}]`)),
  ]
}

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by'

function ofEndpoints(object: UnknownObject): string[] {
  if (object.metadata.labels?.[MANAGED_BY] === 'endpoint-controller') return []
  const { subsets = [] } = object as unknown as Endpoints
  return subsets.flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip }, place) => addressWarnings(ip, `subsets[${index}].${list}[${place}].ip`)),
    ),
  )
}

const SLICE_MANAGED_BY = 'endpointslice.kubernetes.io/managed-by'
/** Controllers that write addresses in their canonical form. */
const SLICE_MANAGERS = new Set(['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'])

function ofSlice(object: UnknownObject, old: UnknownObject | undefined): string[] {
  const { addressType, endpoints } = object as unknown as EndpointSlice
  const isManaged = SLICE_MANAGERS.has(object.metadata.labels?.[SLICE_MANAGED_BY] ?? '')
  const own = isManaged ? [] : listed(endpoints)
  return [
    ...(addressType === 'FQDN' && !old ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...own.flatMap(({ addresses }, index) =>
      listed(addresses).flatMap((address, place) =>
        addressWarnings(address, `endpoints[${index}].addresses[${place}]`),
      ),
    ),
  ]
}

function ofNetworkPolicy(object: UnknownObject): string[] {
  const { ingress = [], egress = [] } = (object as unknown as NetworkPolicy).spec ?? {}
  const rules = [
    ...ingress.map(({ from = [] }, index) => ({ peers: from, path: `spec.ingress[${index}].from` })),
    ...egress.map(({ to = [] }, index) => ({ peers: to, path: `spec.egress[${index}].to` })),
  ]
  return rules.flatMap(({ peers, path }) =>
    peers.flatMap(({ ipBlock }, place) => {
      if (!ipBlock) return []
      const at = `${path}[${place}].ipBlock`
      const { cidr, except = [] } = ipBlock
      return [
        ...blockWarnings(cidr, `${at}.cidr`),
        ...except.flatMap((block, index) => blockWarnings(block, `${at}.except[${index}]`)),
      ]
    }),
  )
}

function ofStorageClass(object: UnknownObject): string[] {
  const { allowedTopologies = [] } = object as unknown as StorageClass
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, index) =>
    matchLabelExpressions.flatMap(({ key }, place) => {
      const advice = adviceOnLabel(key)
      return advice === undefined ? [] : [`allowedTopologies[${index}].matchLabelExpressions[${place}].key: ${advice}`]
    }),
  )
}

const MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets'

function ofAccount(object: UnknownObject, old: UnknownObject | undefined): string[] {
  if (!annotated(object, MOUNTABLE) || (old && annotated(old, MOUNTABLE))) return []
  const advice = 'prefer separate namespaces to isolate access to mounted secrets'
  return [`metadata.annotations[${MOUNTABLE}]: deprecated in v1.32+; ${advice}`]
}

function ofIngress(object: UnknownObject, old: UnknownObject | undefined): string[] {
  const { spec = {} } = object as unknown as Ingress
  if (old || !annotated(object, 'kubernetes.io/ingress.class') || spec.ingressClassName !== undefined) return []
  return [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`]
}

function ofStatefulSet(object: UnknownObject, old: UnknownObject | undefined): string[] {
  const { volumeClaimTemplates = [], revisionHistoryLimit = 0 } = (object as unknown as StatefulSet).spec
  return [
    // The path of a change is another one upstream.
    ...volumeClaimTemplates.flatMap(({ spec }, index) =>
      claimWarnings(spec, `spec.volumeClaimTemplates[${index}]${old ? '.Spec' : ''}`),
    ),
    ...(revisionHistoryLimit < 0
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
  ]
}

function ofCronJob({ spec }: UnknownObject, old: UnknownObject | undefined): string[] {
  if (!old || !(spec as { schedule: string }).schedule.includes('TZ')) return []
  const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/'
  return [`cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see ${page} for more details`]
}

const ADVICE: Readonly<Record<string, Advice>> = {
  'cronjobs.batch': ofCronJob,
  endpoints: ofEndpoints,
  'endpointslices.discovery.k8s.io': ofSlice,
  'ingresses.networking.k8s.io': ofIngress,
  'networkpolicies.networking.k8s.io': ofNetworkPolicy,
  nodes: ofNode,
  persistentvolumeclaims: ofClaim,
  persistentvolumes: ofVolume,
  secrets: (object) => keyPairWarnings(object as unknown as Secret),
  serviceaccounts: ofAccount,
  services: ofService,
  'statefulsets.apps': ofStatefulSet,
  'storageclasses.storage.k8s.io': ofStorageClass,
}

/** About a new object, or a changed one. */
export function kindWarnings(id: string, object: UnknownObject, old?: UnknownObject): string[] {
  return ownField(ADVICE, id)?.(object, old) ?? []
}

const MANY_COMPLETIONS = 100_000
const MUCH_PARALLELISM = 10_000

/** About a Job that has too many indexes to count; `path` is that of its spec. */
export function jobWarnings({ completionMode, completions = 0, parallelism = 0 }: Job['spec'], path: string): string[] {
  if (completionMode !== 'Indexed' || completions <= MANY_COMPLETIONS || parallelism <= MUCH_PARALLELISM) return []
  const advice =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, '
    + 'Kubernetes might not be able to track completedIndexes when a big number of indexes fail'
  return [`${path}: ${advice}`]
}

type Balanced = { status?: { loadBalancer?: { ingress?: readonly { ip?: string }[] } } }

function ofBalancer(object: UnknownObject): string[] {
  const { ingress = [] } = (object as Balanced).status?.loadBalancer ?? {}
  return ingress.flatMap(({ ip }, index) => (ip ? addressWarnings(ip, `status.loadBalancer.ingress[${index}]`) : []))
}

/** About a changed status. */
export function statusWarnings(id: string, object: UnknownObject): string[] {
  if (id === 'services' || id === 'ingresses.networking.k8s.io') return ofBalancer(object)
  if (id !== 'pods') return []
  const { podIPs = [], hostIPs = [] } = (object as unknown as Pod).status ?? {}
  return [
    ...podIPs.flatMap(({ ip }, index) => addressWarnings(ip, `status.podIPs[${index}].ip`)),
    ...hostIPs.flatMap(({ ip }, index) => addressWarnings(ip, `status.hostIPs[${index}].ip`)),
  ]
}
