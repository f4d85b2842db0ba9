/** Paths under `/watch/`, which old clients still use, in the form of today: a list that is watched. */
import type { Call } from './call'

const OLD = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch\/(.+?)\/?$/

/** The same request by today's path; any other request as it is. */
export function inTodaysForm(call: Call): Call {
  const [, version, place = ''] = (call.method === 'GET' && OLD.exec(call.path)) || []
  if (version === undefined) return call
  const { collection, name } = collectionOf(place.split('/'))
  const query = new URLSearchParams(call.query)
  query.set('watch', 'true')
  if (name !== undefined) {
    const selectors = [`metadata.name=${name}`, ...query.getAll('fieldSelector')].filter((selector) => selector !== '')
    query.set('fieldSelector', selectors.join(','))
  }
  return { ...call, path: `${version}/${collection}`, query }
}

/** Today's path of a request of another method, which such a path does not take; undefined for any other path. */
export function refusedWatch({ method, path }: Pick<Call, 'method' | 'path'>): string | undefined {
  const [, version, place = ''] = (method !== 'GET' && OLD.exec(path)) || []
  return version === undefined ? undefined : `${version}/${collectionOf(place.split('/')).collection}`
}

/** The watched resource and object. */
function collectionOf(parts: readonly string[]): { collection: string; name: string | undefined } {
  const length = parts[0] === 'namespaces' && parts.length > 2 ? 3 : 1
  return { collection: parts.slice(0, length).join('/'), name: parts[length] }
}
