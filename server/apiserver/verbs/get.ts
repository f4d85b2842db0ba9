import type { Answer } from '../call'
import type { Ask } from '../api'
import { notFound } from '../failures'
import { untilReached } from '../fresh'
import { versionOf } from '../query'
import { keyIn } from '../registry/resource'
import type { Entry } from '../store/store'
import { viewOf } from '../views/view'

/** A real server reads these kinds without a cache, which has other words for a version that is none. */
const UNCACHED = new Set(['events'])

/** One object. With a resourceVersion: one that is at least as new. */
export async function get(ask: Ask): Promise<Answer> {
  const view = viewOf(ask)
  await untilReached(ask.api.store, ask.api.clock, versionOf(ask.call.query, UNCACHED.has(ask.resource.id)))
  return view.object(find(ask))
}

/** The object that a request names. Throws 404. */
export function find({ api, keyspace, resource, target }: Ask): Entry {
  const name = target.name ?? ''
  const entry = api.store.get({
    keyspace: keyspace.name,
    resource: resource.id,
    key: keyIn(resource, target.namespace, name),
  })
  const { kind } = resource
  // Components are called by their kind.
  if (!entry) throw notFound(kind.readOnly ? { ...kind, plural: kind.kind.toLowerCase() } : kind, name)
  return resource.read(entry)
}
