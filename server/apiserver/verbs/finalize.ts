import { invalidError } from '@/lib/kube/field-error'
import { namespace as namespaceKind } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { validateOwnFinalizers } from '@/lib/kube/validation/object-meta'
import { admit } from '../admission/admit'
import type { Ask } from '../api'
import { readObject } from '../body'
import type { Answer } from '../call'
import { unwritten } from '../registry/create'
import { ownersOfChange, sameButTimes, withOwners } from '../registry/managed-fields'
import { nextMetadata } from '../registry/metadata'
import { isGone } from '../registry/update'
import { writerOf } from '../registry/writer'
import { viewOf } from '../views/view'
import { readDryRun } from './write-options'
import { find } from './get'
import { checkName } from './update'

/** PUT of a namespace's finalizers. */
export async function finalizeNamespace(ask: Ask): Promise<Answer> {
  const view = viewOf(ask)
  const dryRun = readDryRun(ask.call.query, 'UpdateOptions')
  const body = await readObject(ask.call, ask.resource)
  checkName(ask, body)
  const { value: old } = find(ask)
  const review = { operation: 'UPDATE', subresource: 'finalize', name: old.metadata.name, dryRun } as const
  const sent = await admit(ask, { ...review, writer: writerOf(ask.call) }, { object: body, old })
  refuseBadFinalizers(sent)
  const current = find(ask)
  const next = withFinalizers(ask, current.value, sent)
  if (sameButTimes(next, current.value)) return view.object(current)
  const gone = isGone(ask, next)
  if (dryRun || gone) {
    if (!dryRun) await ask.api.store.delete(current.location, next, current.revision)
    return view.object(unwritten(current.location, next))
  }
  return view.object(await ask.api.store.put(current.location, next, current.revision))
}

/** Throws 422 for a finalizer that is no name with a domain. */
function refuseBadFinalizers({ metadata, spec }: UnknownObject): void {
  const finalizers = (spec as { finalizers?: string[] } | undefined)?.finalizers ?? []
  const findings = validateOwnFinalizers(finalizers, (index) => `spec.finalizers[${index}]`)
  if (findings.length > 0) throw invalidError(namespaceKind, metadata.name, findings)
}

function withFinalizers(ask: Ask, namespace: UnknownObject, sent: UnknownObject): UnknownObject {
  const finalizers = (sent.spec as { finalizers?: string[] } | undefined)?.finalizers ?? []
  const labels = { ...sent.metadata.labels, 'kubernetes.io/metadata.name': namespace.metadata.name }
  const spec = finalizers.length > 0 ? { finalizers } : {}
  const wanted = { ...sent, metadata: { ...sent.metadata, labels }, spec }
  const owners = ownersOfChange(ask, {
    old: namespace,
    next: wanted,
    writer: writerOf(ask.call),
    subresource: 'finalize',
  })
  return withOwners({ ...namespace, metadata: nextMetadata(wanted.metadata, namespace.metadata), spec }, owners)
}
