import type { Ask } from '../api'
import { readObject, yieldIfLarge } from '../body'
import type { Answer } from '../call'
import { dropUnknown, fieldValidationOf } from '../field-validation'
import { badRequest, invalidOptions } from '../failures'
import { createObject } from '../registry/create'
import { writerOf } from '../registry/writer'
import { viewOf } from '../views/view'
import { warnAboutNew } from './warnings'
import { checkFieldManager } from './write-options'
import type { UnknownObject } from '@/lib/kube/object'

/** POST of a collection. */
export async function create(ask: Ask): Promise<Answer> {
  const view = viewOf({ ...ask, target: { ...ask.target, name: '' } })
  const dryRun = readDryRun(ask.call.query, 'CreateOptions')
  fieldValidationOf(ask.call.query, 'CreateOptions')
  checkFieldManager(ask.call.query, 'CreateOptions')
  const sent = await readObject(ask.call, ask.resource)
  const draft = dropUnknown(ask.call, ask.resource, sent, 'CreateOptions')
  await yieldIfLarge(ask.call)
  checkNamespace(ask, draft)
  const entry = await createObject(ask, draft, { namespace: ask.target.namespace, dryRun, writer: writerOf(ask.call) })
  warnAboutNew(ask.call, ask.resource, sent.metadata, entry.value)
  return view.object(entry, 201)
}

/** The namespace of a body may be left out, but not differ from the path's. One outside of all is dropped later. */
export function checkNamespace({ target, resource }: Ask, object: UnknownObject): void {
  const { namespace } = object.metadata
  if (!namespace || resource.kind.scope === 'Cluster') return
  if (namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
}

/** `dryRun=All`. Throws 422 for any other value. */
export function readDryRun(
  query: URLSearchParams,
  options: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions',
): boolean {
  const values = query.getAll('dryRun')
  const wrong = values.find((value) => value !== 'All')
  if (wrong === undefined) return values.length > 0
  const message = `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`
  throw invalidOptions(options, [{ reason: 'FieldValueNotSupported', message, field: 'dryRun' }])
}
