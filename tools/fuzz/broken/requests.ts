/** Requests that no sound client would send. */
import { Buffer } from 'node:buffer'
import type { Rng } from '@/lib/std/rng'
import { breakBytes, breakText, chance, mutate, nested, oddities, pick } from './mutate'
import type { Seed } from './seeds'

const methods = [
  'POST',
  'POST',
  'POST',
  'PUT',
  'PUT',
  'PATCH',
  'PATCH',
  'PATCH',
  'DELETE',
  'GET',
  'GET',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
]

const patchTypes = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
  'text/plain',
  'application/json',
]

const bodyTypes = [
  'application/json',
  'application/json',
  'application/json',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/json; charset=utf-16',
  'text/html',
  ';',
  'a/b/c',
]

const accepts = [
  'application/json',
  'application/yaml',
  '*/*',
  'application/vnd.kubernetes.protobuf',
  'nonsense',
  ';;;',
  'a'.repeat(2000),
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v9;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
]

const parameters = [
  'limit',
  'continue',
  'labelSelector',
  'fieldSelector',
  'fieldValidation',
  'dryRun',
  'propagationPolicy',
  'fieldManager',
  'gracePeriodSeconds',
  'includeObject',
  'resourceVersion',
  'resourceVersionMatch',
  'timeoutSeconds',
  'watch',
  'force',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'orphanDependents',
  'pretty',
  'timeout',
  'verbose',
]

const values = [
  'true',
  'false',
  '1',
  '0',
  '-1',
  'All',
  'None',
  'Strict',
  'Exact',
  'NotOlderThan',
  'Orphan',
  '99999999999999999999',
  '1e3',
  'a=b',
  'a in (b,c',
  'a,!b',
  '==',
  'a==b==c',
  'metadata.name=f',
  'spec.nope=1',
  'metadata.name',
  '!',
  'a notin ()',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0',
  'eyJ2Ijo',
  '%',
  '\u0000',
  'a'.repeat(5000),
  '-'.repeat(100),
]

const parts = [
  '',
  '/f',
  '/f',
  '/f',
  '/f/status',
  '/f/scale',
  '/f/nope',
  '/f/eviction',
  '/f/binding',
  '/f/token',
  '/f/finalize',
  '/f/log',
  '/f/proxy',
  '/f/proxy/api/v1/pods',
  '/f/proxy/apis',
  '/f/f/f',
  '/%2e%2e',
  '/%ff',
  '/%',
  '//f',
  '/F_',
  '/f/',
  '/__proto__',
  '/constructor',
]

const elsewhere = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/api/v2',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/nope',
  '/apis/fuzz.test/v1',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/apis/apps/v1',
  '/openapi/v3/../../etc',
  '/version',
  '/healthz',
  '/metrics',
  '/favicon.ico',
  '/api/v1/watch/pods',
  '/api/v1/namespaces/__proto__/configmaps',
  '/apis/__proto__/v1/x',
  '/api/v1/constructor',
  '/%00',
  '*',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/api/v1/namespaces/default/bindings',
  '//',
  '/api/v1/namespaces//pods',
]

/** A broken request to one of the collections, or to somewhere else. */
export function brokenRequest(rng: Rng, seeds: readonly Seed[], token: string): Buffer {
  const seed = pick(rng, seeds)
  const method = pick(rng, methods)
  const path = pathFor(rng, seed, method)
  const type = method === 'PATCH' ? pick(rng, patchTypes) : pick(rng, bodyTypes)
  const body = method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : bodyFor(rng, seed, { method, type })
  const accept = chance(rng, 0.7) ? 'application/json' : pick(rng, accepts)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: fuzz',
    `Accept: ${accept}`,
    ...credentials(rng, token),
    ...oddHeaders(rng),
    ...(chance(rng, 0.95) ? [`Content-Type: ${type}`] : []),
    `Content-Length: ${body.length}`,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}

function pathFor(rng: Rng, { collection }: Seed, method: string): string {
  if (chance(rng, 0.05)) return pick(rng, elsewhere) + queryFor(rng)
  const suffix = method === 'POST' && chance(rng, 0.8) ? '' : pick(rng, parts)
  return collection + suffix + queryFor(rng)
}

function queryFor(rng: Rng): string {
  if (chance(rng, 0.6)) return ''
  const pairs = Array.from({ length: 1 + rng.below(3) }, () => {
    const value = chance(rng, 0.8) ? pick(rng, values) : String(pick(rng, oddities))
    return `${pick(rng, parameters)}=${chance(rng, 0.95) ? encodeURIComponent(value.toWellFormed()) : '%zz%'}`
  })
  return `?${pairs.join('&')}`
}

function credentials(rng: Rng, token: string): string[] {
  if (chance(rng, 0.97)) return [`Authorization: Bearer ${token}`]
  return pick(rng, [
    [],
    ['Authorization: Bearer'],
    ['Authorization: Basic eDp5'],
    ['Authorization: Bearer a.b.c'],
    [`Authorization: Bearer ${'e30.'.repeat(300)}`],
  ])
}

const impersonations = [
  'Impersonate-User: alice',
  'Impersonate-Group: g',
  'Impersonate-Uid: 1',
  'Impersonate-Extra-%zz: x',
  'Impersonate-User: ',
  'Impersonate-User: system:serviceaccount:default:f',
  'Impersonate-User: system:node:f',
  'Impersonate-Extra-__proto__: x',
]

function oddHeaders(rng: Rng): string[] {
  if (chance(rng, 0.92)) return []
  return pick(rng, [
    ...impersonations.map((line) => [line]),
    ['Impersonate-User: alice', 'Impersonate-Group: system:masters'],
    ['User-Agent: '],
    [`User-Agent: ${'\u00ff'.repeat(200)}/1`],
    ['If-Match: x', 'Range: bytes=0-1'],
    ['Accept-Encoding: gzip'],
    [`X-Long: ${'a'.repeat(8000)}`],
    ['Expect: 200-maybe'],
    ['Upgrade: SPDY/3.1', 'Connection: Upgrade'],
  ])
}

function bodyFor(rng: Rng, seed: Seed, { method, type }: { method: string; type: string }): Buffer {
  if (type.endsWith('protobuf')) return protobufFor(rng, seed)
  const text = chance(rng, 0.02) ? nested(rng) : JSON.stringify(valueFor(rng, seed, { method, type }))
  if (chance(rng, 0.08)) return Buffer.from(breakText(rng, text))
  return chance(rng, 0.03) ? breakBytes(rng, Buffer.from(text)) : Buffer.from(text)
}

function valueFor(rng: Rng, { object }: Seed, { method, type }: { method: string; type: string }): unknown {
  if (method === 'DELETE') return mutate(rng, deleteOptions)
  if (type === 'application/json-patch+json' && chance(rng, 0.9)) return jsonPatch(rng)
  if (method === 'PATCH' && chance(rng, 0.3)) return mutate(rng, strategicDirectives)
  return chance(rng, 0.15) ? object : mutate(rng, chance(rng, 0.2) ? mutate(rng, object) : object)
}

const deleteOptions = {
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  propagationPolicy: 'Background',
  gracePeriodSeconds: 0,
  preconditions: { uid: 'x', resourceVersion: '1' },
  dryRun: ['All'],
}

const strategicDirectives = {
  metadata: { labels: { $patch: 'replace' }, finalizers: ['a/b'], $deleteFromPrimitiveList: ['x'] },
  spec: {
    containers: [
      { $patch: 'delete', name: 'c' },
      { name: 'd', $retainKeys: ['name'] },
    ],
    '$setElementOrder/containers': [{ name: 'c' }],
  },
}

const pointers = [
  '',
  '/',
  '/spec',
  '/metadata/name',
  '/metadata/finalizers/-',
  '/data/k/0',
  'x',
  '/a~2',
  '/spec/containers/99',
  '/spec/containers/-1',
  '/__proto__/polluted',
  '/constructor/prototype/polluted',
  '/metadata/managedFields',
  '/status',
  '/metadata/resourceVersion',
]

function jsonPatch(rng: Rng): unknown {
  return Array.from({ length: rng.below(4) }, () => ({
    op: pick(rng, ['add', 'remove', 'replace', 'test', 'move', 'copy', 'x']),
    path: pick(rng, pointers),
    from: pick(rng, pointers),
    value: pick(rng, oddities),
  }))
}

const MAGIC = Buffer.from('k8s\0')

function protobufFor(rng: Rng, { object }: Seed): Buffer {
  const noise = Buffer.from(Array.from({ length: rng.below(200) }, () => rng.below(256)))
  if (chance(rng, 0.3)) return noise
  if (chance(rng, 0.5)) return Buffer.concat([MAGIC, noise])
  const type = Buffer.concat([field(1, String(object.apiVersion)), field(2, String(object.kind))])
  const meta = field(1, Buffer.concat([field(1, 'f'), chance(rng, 0.5) ? noise : field(3, 'default')]))
  return Buffer.concat([MAGIC, field(1, type), field(2, chance(rng, 0.5) ? meta : breakBytes(rng, meta))])
}

/** A field of bytes with a length, as protobuf writes it. */
function field(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7]
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
}
