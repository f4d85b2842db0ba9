/** `/openapi/v3` and `/openapi/v2`, made from the schemas of the kinds. */
import type { Call, Reply } from '../call'
import { text } from '../call'
import type { RemoteVersion } from '../discovery/remote'
import type { Registry } from '../registry/registry'
import { digestOf, tagged } from '../tagged'
import { documentOf, plainDocument, swaggerOf } from './document'

const ROOT = '/openapi/v3'

/** Documents are made once for each state of a registry. */
const known = new WeakMap<Registry, { edition: number; texts: Map<string, string> }>()

/**
 * kubectl requests the old document, as protobuf, only for kinds that are missing in the new ones. This one has no
 * kinds: a Document whose field 1, the version, is `2.0`.
 */
const EMPTY_SWAGGER: Reply = {
  status: 200,
  type: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  text: '\n\u00032.0',
}

/** Answers a request for a schema document. Throws 404. */
export function openapi(registry: Registry, call: Call, remotes: readonly RemoteVersion[] = []): Reply {
  const path = call.path.replace(/\/$/, '')
  if (path === ROOT) {
    const text = remembered(registry, path, () => JSON.stringify({ paths: index(registry) }))
    return { status: 200, type: 'text/plain; charset=utf-8', text: withRemotes(text, remotes) }
  }
  if (path === '/openapi/v2' && call.headers.accept?.includes('protobuf')) return EMPTY_SWAGGER
  if (path === '/openapi/v2') {
    return document(
      call,
      remembered(registry, path, () => JSON.stringify(swaggerOf(registry.resources))),
    )
  }
  const make = path.startsWith(`${ROOT}/`) ? documentsOf(registry).get(path.slice(ROOT.length + 1)) : undefined
  if (make)
    return document(
      call,
      remembered(registry, path, () => JSON.stringify(make())),
    )
  if (!path.startsWith(`${ROOT}/`)) return text(404, '404 page not found\n')
  return text(404, '')
}

/** A client that names the hash of a document may keep it for good: another document has another address. */
function document(call: Call, text: string): Reply {
  const forGood = call.query.get('hash') === digestOf(text)
  return tagged(call, {
    status: 200,
    type: 'application/json',
    text,
    headers: { Vary: 'Accept', ...(forGood && { 'Cache-Control': 'public, max-age=31536000' }) },
  })
}

/** Paths outside of the groups. */
const OTHER_PATHS = ['.well-known/openid-configuration', 'api', 'apis', 'openid/v1/jwks', 'version']

/** The documents by path: one for each group and version, and one for each other path. */
function documentsOf(registry: Registry): Map<string, () => object> {
  const documents = new Map(OTHER_PATHS.map((path) => [path, () => plainDocument(path)]))
  for (const {
    kind: { group, version },
    custom,
  } of registry.resources) {
    const root = group === '' ? 'api' : `apis/${group}`
    if (group !== '' && !custom) documents.set(root, () => plainDocument(`${root}/`))
    documents.set(`${root}/${version}`, () =>
      documentOf(registry.resources.filter(({ kind }) => kind.group === group && kind.version === version)),
    )
  }
  return documents
}

/** Documents of other servers have no hash: they may change at any time. */
function withRemotes(text: string, remotes: readonly RemoteVersion[]): string {
  if (remotes.length === 0) return text
  const { paths } = JSON.parse(text) as { paths: object }
  const others = remotes.map(({ group, version }) => {
    const path = `apis/${group}/${version}`
    return [path, { serverRelativeURL: `${ROOT}/${path}` }]
  })
  return JSON.stringify({ paths: { ...paths, ...(Object.fromEntries(others) as object) } })
}

function index(registry: Registry): object {
  const made = [...documentsOf(registry)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, make]) => {
      const text = remembered(registry, `${ROOT}/${path}`, () => JSON.stringify(make()))
      return [path, { serverRelativeURL: `${ROOT}/${path}?hash=${digestOf(text)}` }]
    })
  return Object.fromEntries(made) as object
}

function remembered(registry: Registry, key: string, make: () => string): string {
  const { edition } = registry
  const found = known.get(registry)
  const documents = found?.edition === edition ? found : { edition, texts: new Map<string, string>() }
  if (documents !== found) known.set(registry, documents)
  const text = documents.texts.get(key) ?? make()
  documents.texts.set(key, text)
  return text
}
