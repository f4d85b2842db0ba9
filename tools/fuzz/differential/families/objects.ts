/** Life of one object of any kind: writes in every form, sound and spoiled. */
import type { Rng } from '@/lib/std/rng'
import { chance, pick } from '../../broken/mutate'
import { type Draft, type Family, get, NAMESPACE, patch, PATCHES, post, query, step } from '../family'
import { collectionOf, nameOf, objectOf, type Sample, samples } from '../samples'
import { isRecord, spoil } from '../spoil'

const WRITE_OPTIONS = {
  dryRun: ['All', 'all', ''],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'nope', 'strict'],
  fieldManager: ['m', 'x'.repeat(129), 'a\u0001b', ''],
  pretty: ['true'],
} as const

const METADATA = [
  { labels: { a: 'b' } },
  { labels: { 'a b': 'c' } },
  { labels: { a: 'x'.repeat(64) } },
  { annotations: { a: 'b' } },
  { annotations: { 'UP/x/y': 'b' } },
  { finalizers: ['example.com/f'] },
  { finalizers: ['f'] },
  {
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '11111111-1111-1111-1111-111111111111' }],
  },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }] },
  { generateName: 'g-' },
  { name: 'UPPER-{{u}}' },
  { name: `${'a'.repeat(254)}-{{u}}` },
  { name: 'a:b-{{u}}' },
  { name: 'a.b-{{u}}' },
  { name: 'a/b-{{u}}' },
  { name: '..' },
  { name: 'a%b-{{u}}' },
  { namespace: 'other' },
  { uid: '11111111-1111-1111-1111-111111111111' },
  { resourceVersion: '1' },
  { generation: 7 },
  { creationTimestamp: '2001-01-01T00:00:00Z' },
  { deletionTimestamp: '2001-01-01T00:00:00Z' },
  { selfLink: '/x' },
  { managedFields: [] },
  { nope: 1 },
  { labels: null },
  { labels: {} },
  { annotations: null, finalizers: [] },
] as const

/** A copy of an object with mutated fields, except for its identity. */
function spoiled(rng: Rng, sample: Sample, times = 1): Record<string, unknown> {
  let object = objectOf(sample)
  for (let count = 0; count < times; count++) {
    const fields = Object.keys(sample.fields)
    const field = fields.length > 0 ? pick(rng, fields) : undefined
    if (field === undefined || chance(rng, 0.05)) object = { ...object, nope: 1 }
    else object = { ...object, [field]: spoil(rng, object[field]) }
  }
  return object
}

const creating: Family = {
  name: 'create',
  weight: 5,
  make(rng) {
    const sample = pick(rng, samples)
    const path = collectionOf(sample)
    return [
      NAMESPACE,
      ...Array.from({ length: 1 + rng.below(3) }, () =>
        post(path, spoiled(rng, sample, pick(rng, [0, 1, 1, 1, 2])), query(rng, WRITE_OPTIONS, 0.1)),
      ),
      get(`${path}/${nameOf(sample)}`),
    ]
  },
}

const metadata: Family = {
  name: 'metadata',
  weight: 2,
  make(rng) {
    const sample = pick(rng, samples)
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const change = (): object => Object.assign({}, pick(rng, METADATA), chance(rng, 0.3) ? pick(rng, METADATA) : {})
    return [
      NAMESPACE,
      post(path, objectOf(sample, 0, change()), query(rng, WRITE_OPTIONS, 0.15)),
      post(path, objectOf(sample, 0)),
      step('PUT', at, objectOf(sample, 0, change()), query(rng, WRITE_OPTIONS, 0.15)),
      patch('merge', at, { metadata: change() }),
      get(at),
    ]
  },
}

const updating: Family = {
  name: 'update',
  weight: 4,
  make(rng) {
    const sample = pick(rng, samples)
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const subresource = sample.subresources?.includes('status') && chance(rng, 0.2) ? '/status' : ''
    return [
      NAMESPACE,
      { ...post(path, objectOf(sample)), capture: { rv1: '/metadata/resourceVersion', uid1: '/metadata/uid' } },
      ...Array.from({ length: 1 + rng.below(3) }, () => updateOf(rng, sample, `${at}${subresource}`)),
      get(at),
    ]
  },
}

function updateOf(rng: Rng, sample: Sample, at: string): Draft {
  const object = spoiled(rng, sample, pick(rng, [0, 1, 1, 1]))
  const options = query(rng, WRITE_OPTIONS, 0.08)
  switch (rng.below(4)) {
    case 0: {
      const version = pick(rng, [{}, { resourceVersion: '{{rv1}}' }, { resourceVersion: '1' }, { uid: '{{uid1}}' }])
      return step('PUT', at, { ...object, metadata: { name: nameOf(sample), ...version } }, options)
    }
    case 1:
      return patch('merge', at, withoutIdentity(object), options)
    case 2:
      return patch('strategic', at, withoutIdentity(object), options)
    default:
      return patch('apply', at, object, {
        query: { fieldManager: 'm', ...(chance(rng, 0.5) && { force: true }), ...options.query },
      })
  }
}

function withoutIdentity({ apiVersion: _a, kind: _k, metadata: _m, ...rest }: Record<string, unknown>): object {
  return rest
}

/** JSON pointers into an object. */
function pointers(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [at, ...value.flatMap((item, index) => pointers(item, `${at}/${index}`)), `${at}/-`]
  if (!isRecord(value)) return [at]
  return [at, ...Object.entries(value).flatMap(([key, child]) => pointers(child, `${at}/${key}`)), `${at}/nope`]
}

const jsonPatches: Family = {
  name: 'json-patch',
  weight: 2,
  make(rng) {
    const sample = pick(rng, samples)
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const known = pointers(objectOf(sample))
    const operation = (): object => ({
      op: pick(rng, ['add', 'replace', 'remove', 'test', 'copy', 'move', 'nope']),
      path: pick(rng, chance(rng, 0.1) ? ['nope', '/a/b/c', ''] : known),
      ...(chance(rng, 0.8) && { value: pick(rng, ['x', 1, null, {}, [], { a: 'b' }, true] as const) }),
      ...(chance(rng, 0.4) && { from: pick(rng, known) }),
    })
    return [
      NAMESPACE,
      post(path, objectOf(sample)),
      ...Array.from({ length: 3 }, () =>
        patch('json', at, Array.from({ length: 1 + rng.below(2) }, operation), query(rng, WRITE_OPTIONS, 0.05)),
      ),
      get(at),
    ]
  },
}

const DIRECTIVES = [
  { $patch: 'replace' },
  { $patch: 'delete' },
  { $patch: 'merge' },
  { $patch: 'nope' },
  { $retainKeys: ['image', 'name'] },
  { $retainKeys: 'x' },
  { '$setElementOrder/containers': [{ name: 'c' }, { name: 'd' }] },
  { '$setElementOrder/containers': [{ name: 'd' }] },
  { '$deleteFromPrimitiveList/finalizers': ['example.com/f'] },
] as const

const strategic: Family = {
  name: 'strategic',
  weight: 1.5,
  make(rng) {
    const sample = pick(
      rng,
      samples.filter(({ kind }) =>
        [
          'Deployment',
          'Pod',
          'Service',
          'StatefulSet',
          'Job',
          'ServiceAccount',
          'ConfigMap',
          'Ingress',
          'Role',
          'PersistentVolumeClaim',
          'Node',
          'DaemonSet',
        ].includes(kind),
      ),
    )
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const put = (value: unknown, depth: number): unknown => {
      if (Array.isArray(value)) {
        const items = value.map((item) => put(item, depth - 1))
        return chance(rng, 0.3)
          ? [...items, pick(rng, [...DIRECTIVES, { name: 'd', image: 'x' }, { name: 'c', $patch: 'delete' }])]
          : items
      }
      if (!isRecord(value)) return chance(rng, 0.3) ? spoil(rng, value) : value
      const kept = Object.entries(value).filter(() => chance(rng, 0.7))
      const fields = Object.fromEntries(kept.map(([key, child]) => [key, put(child, depth - 1)]))
      return chance(rng, 0.15) ? { ...fields, ...pick(rng, DIRECTIVES) } : fields
    }
    return [
      NAMESPACE,
      post(path, objectOf(sample, 0, { finalizers: ['example.com/f'] })),
      patch('strategic', at, put(withoutIdentity(objectOf(sample)), 4)),
      patch(
        'strategic',
        at,
        chance(rng, 0.5) ? { metadata: pick(rng, DIRECTIVES) } : put(withoutIdentity(objectOf(sample)), 4),
      ),
      get(at),
    ]
  },
}

const applying: Family = {
  name: 'apply',
  weight: 2,
  make(rng) {
    const sample = pick(rng, samples)
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const apply = (manager: string): Draft => {
      const object = chance(rng, 0.5) ? objectOf(sample) : spoiled(rng, sample)
      const fields = Object.entries(object).filter(
        ([key]) => key === 'apiVersion' || key === 'kind' || chance(rng, 0.85),
      )
      const draft = patch('apply', at, Object.fromEntries(fields), {
        query: {
          fieldManager: manager,
          ...(chance(rng, 0.3) && { force: true }),
          ...query(rng, { dryRun: ['All'], fieldValidation: ['Ignore', 'Warn'] }, 0.1).query,
        },
      })
      return { ...draft, keepManagedFields: true }
    }
    return [
      NAMESPACE,
      ...(chance(rng, 0.5)
        ? [{ ...post(path, objectOf(sample), { query: { fieldManager: 'c' } }), keepManagedFields: true }]
        : []),
      apply('a'),
      apply('b'),
      ...(chance(rng, 0.5)
        ? [
            {
              ...patch('merge', at, withoutIdentity(spoiled(rng, sample)), { query: { fieldManager: 'u' } }),
              keepManagedFields: true,
            },
          ]
        : []),
      apply('a'),
      { ...get(at), keepManagedFields: true },
    ]
  },
}

const RAW_BODIES = [
  '',
  '{',
  '[]',
  '"x"',
  'null',
  '{}',
  '{"a":1}',
  'kind: X',
  'a: [',
  '{"kind":"ConfigMap"}',
  '{"kind":"ConfigMap","apiVersion":"v2","metadata":{"name":"a"}}',
  '{"kind":"Nope","apiVersion":"v1","metadata":{"name":"a"}}',
  '{"kind":"List","apiVersion":"v1","items":[]}',
  '{"kind":"ConfigMapList","apiVersion":"v1","items":[]}',
  '{"kind":"DeleteOptions","apiVersion":"v1"}',
  '{"apiVersion":"v1","metadata":{"name":"a"}}',
  '{"metadata":{"name":"o0"}}',
  '{"metadata":{"name":7}}',
  '{"metadata":[]}',
  '{"metadata":{"name":"o0","name":"o1"}}',
  '{"Metadata":{"name":"o0"}}',
  '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"}}',
  '{"apiVersion":"a/b/c","kind":"X"}',
  '{"spec":{"replicas":"x"}}',
  '{"data":{"a":1}}',
  '\u0000',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: o0}\ndata: {a: b}\n',
  'metadata:\n  name: o0\n---\nmetadata:\n  name: o1\n',
] as const

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/yaml',
  'text/yaml',
  'text/plain',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/x-www-form-urlencoded',
  'nope',
  'application/json; a=b',
  '*/*',
  ...Object.values(PATCHES),
] as const

const ACCEPTS = [
  'application/json',
  'application/yaml',
  '*/*',
  'application/*',
  'text/html',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=Nope;v=v1;g=meta.k8s.io',
  'application/json;pretty=1',
  'nope',
  '',
  'application/json;q=0.1,application/yaml;q=0.9',
] as const

const raw: Family = {
  name: 'bodies',
  weight: 2.5,
  make(rng) {
    const sample = pick(rng, samples)
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const request = (): Draft => {
      const method = pick(rng, ['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'POST', 'PATCH'])
      const type = pick(rng, chance(rng, 0.6) ? ['application/json', 'application/yaml'] : TYPES)
      const headers = {
        'Content-Type': method === 'PATCH' && chance(rng, 0.7) ? pick(rng, Object.values(PATCHES)) : type,
        ...(chance(rng, 0.2) && { Accept: pick(rng, ACCEPTS) }),
      }
      const body = chance(rng, 0.8) ? { rawBody: pick(rng, RAW_BODIES) } : { rawBody: JSON.stringify(objectOf(sample)) }
      // Whole collections outside of the namespace are not the sequence's to delete.
      const whole = sample.namespaced && chance(rng, 0.1)
      const where = method === 'POST' || whole ? path : at
      return step(method, where, undefined, { ...body, headers, ...query(rng, WRITE_OPTIONS, 0.1) })
    }
    return [NAMESPACE, post(path, objectOf(sample)), request(), request(), request()]
  },
}

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const methods: Family = {
  name: 'methods',
  weight: 1.5,
  make(rng) {
    const sample = pick(rng, samples)
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const paths = [
      path,
      at,
      `${at}/status`,
      `${at}/scale`,
      `${at}/nope`,
      `${path}/`,
      `${at}/`,
      path.replace('/namespaces/{{ns}}', ''),
      path.replace(sample.plural, 'nopes'),
      path.replace(sample.version, 'v9'),
      path.replace(sample.plural, sample.plural.toUpperCase()),
      path.replace(sample.plural, sample.kind.toLowerCase()),
      path.replace('{{ns}}', 'no-such-{{u}}'),
      path.replace('/api', '/api/watch').replace('/api/watchs', '/apis'),
      `${path}/${'x'.repeat(300)}`,
      `${path}/a%2Fb`,
      `${path}/%00`,
      path.replace('/namespaces', '//namespaces'),
    ]
    return [
      NAMESPACE,
      post(path, objectOf(sample)),
      ...Array.from({ length: 4 }, () => {
        const method = pick(rng, METHODS)
        const body = method === 'POST' || method === 'PUT' || method === 'PATCH' ? objectOf(sample) : undefined
        const where = pick(rng, paths)
        if (method === 'DELETE' && (!sample.namespaced || !where.includes('/o0'))) return get(where)
        return step(method, where, body, {
          ...(chance(rng, 0.2) && { user: pick(rng, ['viewer', 'anonymous', 'badtoken'] as const) }),
          ...(chance(rng, 0.2) && { headers: { Accept: pick(rng, ACCEPTS) } }),
        })
      }),
    ]
  },
}

export const objectFamilies: readonly Family[] = [
  creating,
  metadata,
  updating,
  jsonPatches,
  strategic,
  applying,
  raw,
  methods,
]
