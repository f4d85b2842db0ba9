import type { Ask } from '../api'
import { checkMediaType, readObject, yieldIfLarge } from '../body'
import type { Answer } from '../call'
import { dropUnknown, unknownInOtherVersion } from '../field-validation'
import { badRequest } from '../failures'
import { createObject } from '../registry/create'
import { writerOf } from '../registry/writer'
import { viewOf } from '../views/view'
import { warnAboutNew } from '../warnings/warnings'
import { readWriteOptions } from './write-options'
import type { UnknownObject } from '@/lib/kube/object'

/** POST of a collection. */
export async function create(ask: Ask): Promise<Answer> {
  const view = viewOf({ ...ask, target: { ...ask.target, name: '' } })
  // That a custom kind has no messages shows when one is read.
  checkMediaType(ask.call, { custom: false })
  const { dryRun } = readWriteOptions(ask.call.query, 'CreateOptions')
  const sent = await readObject(ask.call, ask.resource, unknownInOtherVersion(ask))
  const draft = dropUnknown(ask.call, ask.resource, sent)
  await yieldIfLarge(ask.call)
  checkNamespace(ask, draft)
  const entry = await createObject(ask, draft, {
    namespace: ask.target.namespace,
    dryRun,
    writer: writerOf(ask.call),
    onValid: (object) => warnAboutNew(ask.call, ask.resource, sent.metadata, object),
  })
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
