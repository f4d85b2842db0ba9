/** Which fields a field selector may name, kind by kind, and how each is read. */
import { compileJsonPath } from '@/lib/kube/jsonpath'
import { badRequest } from '../failures'
import type { UnknownObject } from '@/lib/kube/object'
import type { Resource } from './resource'

type Reader = (object: UnknownObject) => string

/** Beyond name and namespace. The value behind a path is what an absent field counts as. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pods: {
    'spec.nodeName': '', 'spec.restartPolicy': '', 'spec.schedulerName': '', 'spec.serviceAccountName': '',
    'spec.hostNetwork': 'false', 'status.phase': '', 'status.podIP': '', 'status.nominatedNodeName': '',
  },
  events: {
    'involvedObject.kind': '', 'involvedObject.namespace': '', 'involvedObject.name': '', 'involvedObject.uid': '',
    'involvedObject.apiVersion': '', 'involvedObject.resourceVersion': '', 'involvedObject.fieldPath': '',
    reason: '', reportingComponent: '', source: '', type: '',
  },
  secrets: { type: '' },
  namespaces: { 'status.phase': '' },
  nodes: { 'spec.unschedulable': 'false' },
  'jobs.batch': { 'status.successful': '0' },
}

/** Selectable names that are not the path of their field. */
const PATHS: Readonly<Record<string, string>> = { source: 'source.component', 'status.successful': 'status.succeeded' }

const readers = new Map<string, Reader>()

/** How to read a selectable field. Throws 400 for any other, in the words that the kind's own conversion uses. */
export function fieldReader(resource: Resource, field: string): Reader {
  if (field === 'metadata.name') return (object) => object.metadata.name
  if (field === 'metadata.namespace' && (!resource.custom || resource.kind.scope === 'Namespaced')) {
    return (object) => object.metadata.namespace ?? ''
  }
  const absent = resource.kind.selectableFields?.includes(`.${field}`) ? '' : FIELDS[resource.id]?.[field]
  if (absent === undefined) throw badRequest(refusal(resource, field))
  const path = PATHS[field] ?? field
  const known = readers.get(path)
  if (known) return known
  const select = compileJsonPath(`.${path}`)
  const reader: Reader = (object) => String(select(object)[0] ?? absent)
  readers.set(path, reader)
  return reader
}

function refusal(resource: Resource, field: string): string {
  if (resource.custom || FIELDS[resource.id]) return `field label not supported: ${field}`
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
}
