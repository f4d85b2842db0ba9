/** Which fields a field selector may name, kind by kind, and how each is read. */
import { compileJsonPath } from '@/lib/kube/jsonpath'
import { resourceName } from '@/lib/kube/kind'
import { badRequest } from '../failures'
import type { UnknownObject } from '@/lib/kube/object'
import { ownField } from '@/lib/std/fields'
import type { Resource } from './resource'

type Reader = (object: UnknownObject) => string

/** Beyond name and namespace. Each path has the value of an absent field. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pods: {
    'spec.nodeName': '',
    'spec.restartPolicy': '',
    'spec.schedulerName': '',
    'spec.serviceAccountName': '',
    'spec.hostNetwork': 'false',
    'status.phase': '',
    'status.podIP': '',
    'status.nominatedNodeName': '',
  },
  events: {
    'involvedObject.kind': '',
    'involvedObject.namespace': '',
    'involvedObject.name': '',
    'involvedObject.uid': '',
    'involvedObject.apiVersion': '',
    'involvedObject.resourceVersion': '',
    'involvedObject.fieldPath': '',
    reason: '',
    reportingComponent: '',
    source: '',
    type: '',
  },
  'events.events.k8s.io': {
    'regarding.kind': '',
    'regarding.namespace': '',
    'regarding.name': '',
    'regarding.uid': '',
    'regarding.apiVersion': '',
    'regarding.resourceVersion': '',
    'regarding.fieldPath': '',
    reason: '',
    reportingController: '',
    type: '',
  },
  secrets: { type: '' },
  services: { 'spec.clusterIP': '', 'spec.type': '' },
  replicationcontrollers: { 'status.replicas': '0' },
  namespaces: { 'status.phase': '' },
  nodes: { 'spec.unschedulable': 'false' },
  'certificatesigningrequests.certificates.k8s.io': { 'spec.signerName': '' },
  'jobs.batch': { 'status.successful': '0' },
}

/** Selectable names that are not the path of the field, as objects are kept. */
const PATHS: Readonly<Record<string, string>> = {
  source: 'source.component',
  'status.successful': 'status.succeeded',
  reportingController: 'reportingComponent',
}

function pathOf(field: string): string {
  return ownField(PATHS, field) ?? field.replace(/^regarding\./, 'involvedObject.')
}

const readers = new Map<string, Reader>()

/** How to read a selectable field. Throws 400 for any other, in the words that the kind's own conversion uses. */
export function fieldReader(resource: Resource, field: string): Reader {
  if (field === 'metadata.name') return (object) => object.metadata.name
  if (field === 'metadata.namespace' && (!resource.custom || resource.kind.scope === 'Namespaced')) {
    return (object) => object.metadata.namespace ?? ''
  }
  const fields = ownField(FIELDS, resourceName(resource.kind)) ?? {}
  const absent = resource.kind.selectableFields?.includes(`.${field}`) ? '' : ownField(fields, field)
  if (absent === undefined) throw badRequest(refusal(resource, field))
  const path = pathOf(field)
  const known = readers.get(path)
  if (known) return known
  const select = compileJsonPath(`.${path}`)
  const reader: Reader = (object) => String(select(object)[0] ?? absent)
  readers.set(path, reader)
  return reader
}

function refusal(resource: Resource, field: string): string {
  if (resource.id === 'jobs.batch') return `field label ${JSON.stringify(field)} not supported for Job`
  if (resource.custom || ownField(FIELDS, resourceName(resource.kind))) return `field label not supported: ${field}`
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
}
