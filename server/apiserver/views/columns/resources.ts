/** Columns of what workloads bring along: schedules, storage, traffic, budgets and limits. */
import type { UnknownObject } from '@/lib/kube/object'
import { parseTime } from '@/lib/std/clock'
import { ownField } from '@/lib/std/fields'
import { ageOf } from '../age'
import { age, type Column, containerColumns, flagColumn, numberColumn, selectorColumn, textColumn } from './column'
import { metricTargets } from './metrics'
import { array, at, count, NONE, selectorText, text } from './reading'

const UNSET = '<unset>'
const webhooks = numberColumn('Webhooks', (object) => array(object.webhooks).length)
const SHOWN = 3

/** The first few of a list, and how many more there are. */
function someOf(texts: readonly string[], total = texts.length): string {
  const shown = texts.slice(0, SHOWN).join(',')
  return texts.length > SHOWN ? `${shown} + ${total - SHOWN} more...` : shown
}

function flagWord(value: unknown): string {
  return value === undefined ? UNSET : value === true ? 'True' : 'False'
}

function lastSchedule(object: UnknownObject, now: number): string {
  const time = at(object, 'status.lastScheduleTime')
  return typeof time === 'string' ? ageOf(parseTime(time), now) : NONE
}

/** How many workloads of a rebalancer ended so. */
function rebalancedWith(object: UnknownObject, result: string): number {
  return array(at(object, 'status.observedWorkloads')).filter((observed) => observed.result === result).length
}

function ingressHosts(object: UnknownObject): string {
  const rules = array(at(object, 'spec.rules'))
  return (
    someOf(
      rules.map(({ host }) => text(host, '')).filter((host) => host !== ''),
      rules.length,
    ) || '*'
  )
}

function balancerAddresses(object: UnknownObject): string {
  const points = array(at(object, 'status.loadBalancer.ingress')).map(({ ip, hostname }) => text(ip ?? hostname, ''))
  return [...new Set(points.filter((point) => point !== ''))].sort().join(',')
}

function endpointAddresses(object: UnknownObject): string {
  const reachable = array(object.subsets).flatMap(({ addresses, ports }) =>
    array(ports).flatMap(({ port }) => array(addresses).map(({ ip }) => `${String(ip)}:${String(port)}`)),
  )
  return someOf(reachable) || NONE
}

function slicePorts(object: UnknownObject): string {
  return someOf(array(object.ports).map(({ port }) => (port === undefined ? '*' : String(port)))) || UNSET
}

function sliceAddresses(object: UnknownObject): string {
  return someOf(array(object.endpoints).flatMap(({ addresses }) => (addresses as string[] | undefined) ?? [])) || UNSET
}

const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

/** Access modes in their short form, always in the same order. */
function modesOf(modes: unknown): string {
  const given = new Set((modes as string[] | undefined) ?? [])
  return Object.keys(MODES)
    .filter((mode) => given.has(mode))
    .map((mode) => MODES[mode])
    .join(',')
}

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'

function storageClassOf(object: UnknownObject): string {
  return object.metadata.annotations?.[CLASS_ANNOTATION] ?? text(at(object, 'spec.storageClassName'), '')
}

function phaseOf(object: UnknownObject): string {
  return object.metadata.deletionTimestamp ? 'Terminating' : text(at(object, 'status.phase'), '')
}

/** Fields of a bound claim. */
const ofBound =
  (read: (object: UnknownObject) => string) =>
  (object: UnknownObject): string =>
    at(object, 'spec.volumeName') ? read(object) : ''

const attributesClass = textColumn('VolumeAttributesClass', (object) =>
  text(at(object, 'spec.volumeAttributesClassName'), UNSET),
)
const volumeMode = textColumn('VolumeMode', (object) => text(at(object, 'spec.volumeMode'), UNSET), 1)

const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

function className({ metadata }: UnknownObject): string {
  const isDefault = DEFAULT_CLASS.some((annotation) => metadata.annotations?.[annotation] === 'true')
  return isDefault ? `${metadata.name} (default)` : metadata.name
}

const budget =
  (field: string) =>
  (object: UnknownObject): string =>
    String(at(object, `spec.${field}`) ?? 'N/A')

/** Used and hard amounts of the resources that are limits, or of those that are not. */
const quotaOf =
  (limits: boolean) =>
  (object: UnknownObject): string => {
    const [hard, used] = [at(object, 'status.hard'), at(object, 'status.used')].map((one) => (one ?? {}) as object)
    return Object.entries(hard ?? {})
      .filter(([name]) => name.startsWith('limits') === limits)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, amount]) => `${name}: ${String(ownField(used ?? {}, name) ?? 0)}/${String(amount)}`)
      .join(', ')
  }

function controllerOf({ metadata }: UnknownObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller)
  if (!owner) return NONE
  const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : []
  return `${owner.kind.toLowerCase()}${group ? `.${group}` : ''}/${owner.name}`
}

const wholeNumber =
  (path: string) =>
  (object: UnknownObject): number =>
    count(object, path)
const field =
  (path: string, absent?: string) =>
  (object: UnknownObject): string =>
    text(at(object, path), absent)

export const resourceColumns: Readonly<Record<string, readonly Column[]>> = {
  'cronjobs.batch': [
    textColumn('Schedule', field('spec.schedule', '')),
    textColumn('Timezone', field('spec.timeZone')),
    flagColumn('Suspend', (object) => flagWord(at(object, 'spec.suspend'))),
    numberColumn('Active', (object) => array(at(object, 'status.active')).length),
    textColumn('Last Schedule', lastSchedule),
    age,
    ...containerColumns('spec.jobTemplate.spec.template'),
    selectorColumn('spec.jobTemplate.spec.selector'),
  ],
  replicationcontrollers: [
    numberColumn('Desired', wholeNumber('spec.replicas')),
    numberColumn('Current', wholeNumber('status.replicas')),
    numberColumn('Ready', wholeNumber('status.readyReplicas')),
    age,
    ...containerColumns('spec.template'),
    textColumn('Selector', (object) => selectorText({ matchLabels: at(object, 'spec.selector') }), 1),
  ],
  podtemplates: [
    ...containerColumns('template').map((column) => ({ ...column, priority: 0 })),
    textColumn('Pod Labels', (object) => selectorText({ matchLabels: at(object, 'template.metadata.labels') })),
  ],
  'controllerrevisions.apps': [
    textColumn('Controller', controllerOf),
    textColumn('Revision', wholeNumber('revision')),
    age,
  ],
  'ingresses.networking.k8s.io': [
    textColumn('Class', field('spec.ingressClassName')),
    textColumn('Hosts', ingressHosts),
    textColumn('Address', balancerAddresses),
    textColumn('Ports', (object) => (array(at(object, 'spec.tls')).length > 0 ? '80, 443' : '80')),
    age,
  ],
  'networkpolicies.networking.k8s.io': [
    textColumn('Pod-Selector', (object) => selectorText(at(object, 'spec.podSelector'))),
    age,
  ],
  endpoints: [textColumn('Endpoints', endpointAddresses), age],
  'endpointslices.discovery.k8s.io': [
    textColumn('AddressType', field('addressType', '')),
    textColumn('Ports', slicePorts),
    textColumn('Endpoints', sliceAddresses),
    age,
  ],
  persistentvolumes: [
    textColumn('Capacity', field('spec.capacity.storage', '0')),
    textColumn('Access Modes', (object) => modesOf(at(object, 'spec.accessModes'))),
    textColumn('Reclaim Policy', field('spec.persistentVolumeReclaimPolicy', '')),
    textColumn('Status', phaseOf),
    textColumn('Claim', (object) => {
      const { namespace, name } = (at(object, 'spec.claimRef') ?? {}) as { namespace?: string; name?: string }
      return name === undefined ? '' : `${namespace ?? ''}/${name}`
    }),
    textColumn('StorageClass', storageClassOf),
    attributesClass,
    textColumn('Reason', field('status.reason', '')),
    age,
    volumeMode,
  ],
  persistentvolumeclaims: [
    textColumn('Status', phaseOf),
    textColumn('Volume', field('spec.volumeName', '')),
    textColumn('Capacity', ofBound(field('status.capacity.storage', ''))),
    textColumn(
      'Access Modes',
      ofBound((object) => modesOf(at(object, 'status.accessModes'))),
    ),
    textColumn('StorageClass', storageClassOf),
    attributesClass,
    age,
    volumeMode,
  ],
  'storageclasses.storage.k8s.io': [
    { ...textColumn('Name', className), format: 'name' },
    textColumn('Provisioner', field('provisioner', '')),
    textColumn('ReclaimPolicy', field('reclaimPolicy', 'Delete')),
    textColumn('VolumeBindingMode', field('volumeBindingMode', 'Immediate')),
    textColumn('AllowVolumeExpansion', (object) => object.allowVolumeExpansion === true),
    age,
  ],
  'poddisruptionbudgets.policy': [
    textColumn('Min Available', budget('minAvailable')),
    textColumn('Max Unavailable', budget('maxUnavailable')),
    numberColumn('Allowed Disruptions', wholeNumber('status.disruptionsAllowed')),
    age,
  ],
  'scales.autoscaling': [
    numberColumn('Desired', wholeNumber('spec.replicas')),
    numberColumn('Available', wholeNumber('status.replicas')),
    age,
  ],
  'workloadrebalancers.apps.karmada.io': [
    numberColumn('Workloads', (object) => array(at(object, 'spec.workloads')).length),
    numberColumn('Successful', (object) => rebalancedWith(object, 'Successful')),
    numberColumn('Failed', (object) => rebalancedWith(object, 'Failed')),
    textColumn('Finished', (object, now) => {
      const time = at(object, 'status.finishTime')
      return typeof time === 'string' ? `${ageOf(parseTime(time), now)} ago` : 'No'
    }),
    age,
  ],
  'horizontalpodautoscalers.autoscaling': [
    textColumn('Reference', (object) => {
      const { kind = '', name = '' } = (at(object, 'spec.scaleTargetRef') ?? {}) as { kind?: string; name?: string }
      return `${kind}/${name}`
    }),
    textColumn('Targets', metricTargets),
    textColumn('MinPods', (object) => String(at(object, 'spec.minReplicas') ?? UNSET)),
    textColumn('MaxPods', wholeNumber('spec.maxReplicas')),
    textColumn('Replicas', wholeNumber('status.currentReplicas')),
    age,
  ],
  'priorityclasses.scheduling.k8s.io': [
    numberColumn('Value', wholeNumber('value')),
    flagColumn('Global-Default', (object) => object.globalDefault === true),
    age,
    textColumn('PreemptionPolicy', field('preemptionPolicy', '')),
  ],
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': [webhooks, age],
  'validatingwebhookconfigurations.admissionregistration.k8s.io': [webhooks, age],
  resourcequotas: [textColumn('Request', quotaOf(false)), textColumn('Limit', quotaOf(true)), age],
}
