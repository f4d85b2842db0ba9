import type { UnknownObject } from '@/lib/kube/object'
import { authorizeCreation } from '../access/authorize'
import type { Ask } from '../api'
import { readObject, yieldIfLarge } from '../body'
import type { Answer } from '../call'
import { badRequest, notFound } from '../failures'
import { dropUnknown, unknownInOtherVersion } from '../field-validation'
import { createObject } from '../registry/create'
import { keyIn } from '../registry/resource'
import { partOf } from '../registry/rules'
import { updateObject } from '../registry/update'
import { writerOf } from '../registry/writer'
import type { Entry } from '../store/store'
import { viewOf } from '../views/view'
import { checkNamespace } from './create'
import { warnAboutChange, warnAboutNew } from '../warnings/warnings'
import { readWriteOptions } from './write-options'

/** Kinds whose PUT creates a missing object. */
const CREATED_BY_PUT = new Set([
  'leases.coordination.k8s.io',
  'events',
  'services',
  'endpoints',
  'limitranges',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
])

/** PUT of an object or of its status. */
export async function update(ask: Ask): Promise<Answer> {
  const { api, keyspace, resource, target, call } = ask
  const view = viewOf(ask)
  const { dryRun } = readWriteOptions(call.query, 'UpdateOptions')
  const sent = await readObject(call, resource, unknownInOtherVersion(ask))
  const name = target.name ?? ''
  const location = { keyspace: keyspace.name, resource: resource.id, key: keyIn(resource, target.namespace, name) }
  const next = dropUnknown(call, resource, sent, replacedBy(ask, api.store.get(location)))
  await yieldIfLarge(call)
  checkNamespace(ask, next)
  checkName(ask, next)
  const writer = writerOf(call)
  const current = api.store.get(location)
  if (!current) {
    if (!CREATED_BY_PUT.has(resource.id) || target.subresource) throw notFound(resource.kind, name)
    authorizeCreation(ask)
    const onValid = (object: UnknownObject): void => warnAboutNew(call, resource, next.metadata, object)
    const options = { namespace: target.namespace, dryRun, writer, onValid }
    return view.object(await createObject(ask, withoutVersion(next), options), 201)
  }
  const subresource = partOf(target.subresource)
  const change = (): UnknownObject => next
  const entry = await updateObject(ask, current, { change, writer, subresource, dryRun, whole: true })
  warnAboutChange(ask, current.value, entry.value)
  return view.object(entry)
}

/** The stored object as writers of this version see it, unless a webhook has to convert it. */
function replacedBy({ resource }: Ask, stored: Entry | undefined): UnknownObject | undefined {
  return stored && !resource.prepare ? resource.read(stored).value : undefined
}

function withoutVersion(object: UnknownObject): UnknownObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: '' } }
}

/** The name of a body has to be there and be the path's. */
export function checkName({ target }: Ask, object: UnknownObject): void {
  const { name } = object.metadata
  if (!name) {
    throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`)
  }
  if (name !== target.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`)
  }
}
