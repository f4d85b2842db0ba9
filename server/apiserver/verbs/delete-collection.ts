import { KubeError } from '@/lib/kube/errors'
import type { Ask } from '../api'
import type { Answer } from '../call'
import { removeObject } from '../registry/remove'
import { selectionOf } from '../registry/selection'
import type { Entry } from '../store/store'
import { viewOf } from '../views/view'
import { readDeleteOptions, withCustomOfKind } from './delete'
import { readPage } from './list'

/** DELETE of a collection: everything that the selectors match, one page of it when there is a limit. */
export async function removeCollection(ask: Ask): Promise<Answer> {
  const view = viewOf(ask)
  // A selector that cannot be read is refused before the body.
  selectionOf(ask.resource, ask.call.query, () => undefined)
  const options = withCustomOfKind(ask, await readDeleteOptions(ask.call))
  const page = await readPage(ask)
  await Promise.all(page.entries.map((entry) => removeIfPresent(ask, entry, options)))
  return view.list(page)
}

/** Another client may have deleted it first. */
async function removeIfPresent(
  ask: Ask,
  entry: Entry,
  options: Awaited<ReturnType<typeof readDeleteOptions>>,
): Promise<void> {
  const current = ask.api.store.get(entry.location)
  if (!current) return
  try {
    await removeObject(ask, current, options)
  } catch (error) {
    if (!(error instanceof KubeError) || error.reason !== 'NotFound') throw error
  }
}
