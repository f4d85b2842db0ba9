/** Life of one object of any kind: writes in every form, sound and spoiled. */
import type { Rng } from '@/lib/std/rng'
import { chance, pick } from '../../broken/mutate'
import { type Draft, type Family, get, NAMESPACE, patch, post, query, step, WRITE_OPTIONS } from '../family'
import { collectionOf, nameOf, objectOf, type Sample, samples } from '../samples'
import { isRecord, spoil } from '../spoil'

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

export const objectFamilies: readonly Family[] = [creating, metadata, updating, jsonPatches, strategic, applying]
