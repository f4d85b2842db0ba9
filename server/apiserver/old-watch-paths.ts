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

/** The watched resource and object. */
function collectionOf(parts: readonly string[]): { collection: string; name: string | undefined } {
  const length = parts[0] === 'namespaces' && parts.length > 2 ? 3 : 1
  return { collection: parts.slice(0, length).join('/'), name: parts[length] }
}
