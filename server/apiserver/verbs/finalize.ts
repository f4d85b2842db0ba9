import type { UnknownObject } from '@/lib/kube/object'
import type { Ask } from '../api'
import { readObject } from '../body'
import type { Answer } from '../call'
import { nextMetadata } from '../registry/metadata'
import { isGone } from '../registry/update'
import { unwritten } from '../registry/create'
import { viewOf } from '../views/view'
import { find } from './get'
import { checkName } from './update'

/** PUT of a namespace's finalizers: who holds it lets it go. */
export async function finalizeNamespace(ask: Ask): Promise<Answer> {
  const view = viewOf(ask)
  const sent = await readObject(ask.call, ask.resource)
  checkName(ask, sent)
  const current = find(ask)
  const finalizers = (sent.spec as { finalizers?: string[] } | undefined)?.finalizers ?? []
  const labels = { ...sent.metadata.labels, 'kubernetes.io/metadata.name': current.value.metadata.name }
  const metadata = nextMetadata({ ...sent.metadata, labels }, current.value.metadata)
  const next: UnknownObject = { ...current.value, metadata, spec: finalizers.length > 0 ? { finalizers } : {} }
  if (!isGone(ask, next)) return view.object(await ask.api.store.put(current.location, next, current.revision))
  await ask.api.store.delete(current.location, next, current.revision)
  return view.object(unwritten(current.location, next))
}
