/** Columns of built-in kinds that no path can express, as kube-apiserver computes them. */
import type { UnknownObject } from '@/lib/kube/object'
import { parseTime } from '@/lib/std/clock'
import { ageOf, durationText } from '../age'
import { accessColumns } from './access'
import { age, type Cell, type Column, containerColumns, numberColumn, selectorColumn, textColumn } from './column'
import { podColumns } from './pod'
import { array, at, count, NONE, selectorText, text } from './reading'
import { registrationColumns } from './registration'
import { resourceColumns } from './resources'

const workload = [...containerColumns('spec.template'), selectorColumn('spec.selector')]

const ready = (available: string, desired: string): Column =>
  textColumn('Ready', (object) => `${count(object, available)}/${count(object, desired)}`)

function dataCount(object: UnknownObject): number {
  return [object.data, object.binaryData].reduce<number>(
    (sum, part) => sum + Object.keys((part ?? {}) as object).length,
    0,
  )
}

function nodeStatus(object: UnknownObject): string {
  const conditions = array(at(object, 'status.conditions'))
  const state = conditions.find((condition) => condition.type === 'Ready')?.status
  const word = state === 'True' ? 'Ready' : state === undefined ? 'Unknown' : 'NotReady'
  return at(object, 'spec.unschedulable') === true ? `${word},SchedulingDisabled` : word
}

const ROLE_LABEL = 'node-role.kubernetes.io/'

function nodeRoles(object: UnknownObject): string {
  const roles = Object.keys(object.metadata.labels ?? {}).filter((label) => label.startsWith(ROLE_LABEL))
  return (
    roles
      .map((label) => label.slice(ROLE_LABEL.length))
      .sort()
      .join(',') || NONE
  )
}

function nodeAddress(type: string): Cell {
  return (object) => text(array(at(object, 'status.addresses')).find((address) => address.type === type)?.address)
}

function servicePorts(object: UnknownObject): string {
  const ports = array(at(object, 'spec.ports')).map(({ port, nodePort, protocol }) => {
    return `${String(port)}${nodePort === undefined ? '' : `:${String(nodePort)}`}/${String(protocol)}`
  })
  return ports.join(',') || NONE
}

function externalAddress(object: UnknownObject): string {
  const type = at(object, 'spec.type')
  if (type === 'ExternalName') return text(at(object, 'spec.externalName'))
  const given = (at(object, 'spec.externalIPs') as string[] | undefined) ?? []
  const assigned = array(at(object, 'status.loadBalancer.ingress')).map(({ ip, hostname }) => String(ip ?? hostname))
  const absent = type === 'LoadBalancer' ? '<pending>' : type === undefined ? '<unknown>' : NONE
  return [...assigned, ...given].join(',') || absent
}

function jobDuration(object: UnknownObject, now: number): string {
  const start = at(object, 'status.startTime')
  if (typeof start !== 'string') return ''
  const end = at(object, 'status.completionTime')
  return durationText(Math.floor(((typeof end === 'string' ? parseTime(end) : now) - parseTime(start)) / 1000))
}

function jobStatus(object: UnknownObject): string {
  const holds = (type: string): boolean =>
    array(at(object, 'status.conditions')).some((one) => one.type === type && one.status === 'True')
  if (holds('Complete')) return 'Complete'
  if (holds('Failed')) return 'Failed'
  if (object.metadata.deletionTimestamp) return 'Terminating'
  return holds('Suspended') ? 'Suspended' : 'Running'
}

/** The zero of a time is written as null. */
const timeAt = (object: UnknownObject, path: string): string | undefined => {
  const value = at(object, path)
  return typeof value === 'string' ? value : undefined
}

const sinceText = (when: string | undefined, now: number): string =>
  when === undefined ? '<unknown>' : ageOf(parseTime(when), now)

function firstSeen(object: UnknownObject, now: number): string {
  return sinceText(timeAt(object, 'firstTimestamp') ?? timeAt(object, 'eventTime'), now)
}

function lastSeen(object: UnknownObject, now: number): string {
  if (at(object, 'series')) return sinceText(timeAt(object, 'series.lastObservedTime'), now)
  const last = timeAt(object, 'lastTimestamp')
  return last === undefined ? firstSeen(object, now) : sinceText(last, now)
}

function eventObject(object: UnknownObject): string {
  const kind = text(at(object, 'involvedObject.kind'), '').toLowerCase()
  const name = text(at(object, 'involvedObject.name'), '')
  return name ? `${kind}/${name}` : kind
}

function eventSource(object: UnknownObject): string {
  const component = text(at(object, 'source.component'), text(object['reportingComponent'], ''))
  const instance = text(at(object, 'source.host'), text(object['reportingInstance'], ''))
  return instance ? `${component}, ${instance}` : component
}

function eventCount(object: UnknownObject): unknown {
  return at(object, 'series') ? count(object, 'series.count') : count(object, 'count') || 1
}

const wholeNumber =
  (path: string): Cell =>
  (object) =>
    count(object, path)

export const builtinColumns: Readonly<Record<string, readonly Column[]>> = {
  pods: podColumns,
  configmaps: [textColumn('Data', dataCount), age],
  secrets: [textColumn('Type', (object) => text(object.type, '')), textColumn('Data', dataCount), age],
  namespaces: [textColumn('Status', (object) => text(at(object, 'status.phase'), '')), age],
  serviceaccounts: [age],
  events: [
    textColumn('Last Seen', lastSeen),
    textColumn('Type', (object) => text(object.type, '')),
    textColumn('Reason', (object) => text(object.reason, '')),
    textColumn('Object', eventObject),
    textColumn('Subobject', (object) => text(at(object, 'involvedObject.fieldPath'), ''), 1),
    textColumn('Source', eventSource, 1),
    textColumn('Message', (object) => text(object['message'], '').trim()),
    textColumn('First Seen', firstSeen, 1),
    textColumn('Count', eventCount, 1),
    { ...textColumn('Name', (object) => object.metadata.name, 1), format: 'name' },
  ],
  nodes: [
    textColumn('Status', nodeStatus),
    textColumn('Roles', nodeRoles),
    age,
    textColumn('Version', (object) => text(at(object, 'status.nodeInfo.kubeletVersion'), '')),
    textColumn('Internal-IP', nodeAddress('InternalIP'), 1),
    textColumn('External-IP', nodeAddress('ExternalIP'), 1),
    textColumn('OS-Image', (object) => text(at(object, 'status.nodeInfo.osImage'), '<unknown>'), 1),
    textColumn('Kernel-Version', (object) => text(at(object, 'status.nodeInfo.kernelVersion'), '<unknown>'), 1),
    textColumn(
      'Container-Runtime',
      (object) => text(at(object, 'status.nodeInfo.containerRuntimeVersion'), '<unknown>'),
      1,
    ),
  ],
  services: [
    textColumn('Type', (object) => text(at(object, 'spec.type'), '')),
    textColumn('Cluster-IP', (object) => text(at(object, 'spec.clusterIP'))),
    textColumn('External-IP', externalAddress),
    textColumn('Port(s)', servicePorts),
    age,
    textColumn('Selector', (object) => selectorText({ matchLabels: at(object, 'spec.selector') }), 1),
  ],
  'deployments.apps': [
    ready('status.readyReplicas', 'spec.replicas'),
    textColumn('Up-to-date', wholeNumber('status.updatedReplicas')),
    textColumn('Available', wholeNumber('status.availableReplicas')),
    age,
    ...containerColumns('spec.template'),
    selectorColumn('spec.selector', ''),
  ],
  'replicasets.apps': [
    numberColumn('Desired', wholeNumber('spec.replicas')),
    numberColumn('Current', wholeNumber('status.replicas')),
    numberColumn('Ready', wholeNumber('status.readyReplicas')),
    age,
    ...workload,
  ],
  'statefulsets.apps': [ready('status.readyReplicas', 'spec.replicas'), age, ...containerColumns('spec.template')],
  'daemonsets.apps': [
    numberColumn('Desired', wholeNumber('status.desiredNumberScheduled')),
    numberColumn('Current', wholeNumber('status.currentNumberScheduled')),
    numberColumn('Ready', wholeNumber('status.numberReady')),
    numberColumn('Up-to-date', wholeNumber('status.updatedNumberScheduled')),
    numberColumn('Available', wholeNumber('status.numberAvailable')),
    textColumn('Node Selector', (object) =>
      selectorText({ matchLabels: at(object, 'spec.template.spec.nodeSelector') }),
    ),
    age,
    ...workload,
  ],
  'jobs.batch': [
    textColumn('Status', jobStatus),
    textColumn(
      'Completions',
      (object) => `${count(object, 'status.succeeded')}/${String(at(object, 'spec.completions') ?? 1)}`,
    ),
    textColumn('Duration', jobDuration),
    age,
    ...workload,
  ],
  'leases.coordination.k8s.io': [textColumn('Holder', (object) => text(at(object, 'spec.holderIdentity'), '')), age],
  ...resourceColumns,
  ...registrationColumns,
  ...accessColumns,
}
