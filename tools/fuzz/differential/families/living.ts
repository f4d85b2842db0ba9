/** The end of objects, and the subresources that act on them. */
import type { Rng } from '@/lib/std/rng'
import { chance, pick } from '../../broken/mutate'
import { type Draft, type Family, get, NAMESPACE, patch, post, query, step } from '../family'
import { collectionOf, nameOf, namespacedSamples, objectOf, type Sample, samples } from '../samples'
import { spoil } from '../spoil'

const DELETE_BODIES = [
  undefined,
  {},
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'nope' },
  { orphanDependents: true },
  { orphanDependents: false, propagationPolicy: 'Orphan' },
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: 30 },
  { gracePeriodSeconds: -1 },
  { gracePeriodSeconds: 'x' },
  { preconditions: { uid: '{{uid1}}' } },
  { preconditions: { uid: '11111111-1111-1111-1111-111111111111' } },
  { preconditions: { resourceVersion: '{{rv1}}' } },
  { preconditions: { resourceVersion: '1' } },
  { dryRun: ['All'] },
  { dryRun: ['nope'] },
  { dryRun: ['All', 'All'] },
  { kind: 'DeleteOptions', apiVersion: 'v1' },
  { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
  { kind: 'DeleteOptions', apiVersion: 'apps/v1' },
  { kind: 'DeleteOptions', apiVersion: 'nope/v1' },
  { kind: 'Pod', apiVersion: 'v1' },
  { nope: 1 },
  { ignoreStoreReadErrorWithClusterBreakingPotential: true },
] as const

const DELETE_QUERY = {
  propagationPolicy: ['Background', 'Foreground', 'Orphan', 'nope'],
  orphanDependents: ['true', 'false', 'x'],
  gracePeriodSeconds: ['0', '5', '-1', 'x'],
  dryRun: ['All', 'nope'],
} as const

function deletion(rng: Rng, at: string): Draft {
  return step('DELETE', at, pick(rng, DELETE_BODIES), chance(rng, 0.25) ? query(rng, DELETE_QUERY) : {})
}

const deletes: Family = {
  name: 'deletes',
  weight: 2.5,
  make(rng) {
    const sample = chance(rng, 0.25) ? (samples.find(({ kind }) => kind === 'Pod') as Sample) : pick(rng, samples)
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const finalizers = chance(rng, 0.4)
      ? { finalizers: [pick(rng, ['example.com/f', 'foregroundDeletion', 'orphan', 'kubernetes'])] }
      : {}
    return [
      NAMESPACE,
      {
        ...post(path, objectOf(sample, 0, finalizers)),
        capture: { rv1: '/metadata/resourceVersion', uid1: '/metadata/uid' },
      },
      deletion(rng, at),
      ...(chance(rng, 0.3) ? [get(at)] : []),
      ...(chance(rng, 0.3)
        ? [
            patch(
              'merge',
              at,
              pick(rng, [
                { metadata: { finalizers: null } },
                { metadata: { finalizers: ['example.com/f', 'example.com/g'] } },
                { metadata: { labels: { a: 'b' } } },
              ]),
            ),
          ]
        : []),
      deletion(rng, at),
      get(at),
      post(path, objectOf(sample)),
    ]
  },
}

const COLLECTION_QUERY = {
  labelSelector: ['a=1', 'a in (1,2)', 'u', 'a!=1', '=='],
  fieldSelector: ['metadata.name=o1', 'nope=1'],
  limit: ['1', '-1'],
  dryRun: ['All'],
  propagationPolicy: ['Foreground', 'nope'],
  resourceVersion: ['0', 'x'],
  gracePeriodSeconds: ['0'],
} as const

const collections: Family = {
  name: 'collections',
  weight: 1,
  make(rng) {
    const sample = pick(rng, namespacedSamples)
    const path = collectionOf(sample)
    return [
      NAMESPACE,
      ...[0, 1, 2].map((index) =>
        post(
          path,
          objectOf(sample, index, {
            labels: { a: String(index), u: '{{u}}' },
            ...(index === 2 && chance(rng, 0.3) && { finalizers: ['example.com/f'] }),
          }),
        ),
      ),
      step('DELETE', path, chance(rng, 0.4) ? pick(rng, DELETE_BODIES) : undefined, query(rng, COLLECTION_QUERY, 0.3)),
      get(path),
      step('DELETE', path),
      get(path),
    ]
  },
}

const SCALES = [
  { spec: { replicas: 3 } },
  { spec: { replicas: -1 } },
  { spec: { replicas: 'x' } },
  { spec: {} },
  { spec: { replicas: 0 }, status: { replicas: 9 } },
  { spec: { replicas: null } },
  { spec: { nope: 1 } },
  { metadata: { resourceVersion: '1' }, spec: { replicas: 1 } },
  { metadata: { labels: { a: 'b' } }, spec: { replicas: 1 } },
] as const

const scales: Family = {
  name: 'scales',
  weight: 1,
  make(rng) {
    const sample = pick(
      rng,
      samples.filter(({ subresources }) => subresources?.includes('scale')),
    )
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const scale = (): Draft => {
      const body = pick(rng, SCALES)
      const type = pick(rng, ['merge', 'merge', 'strategic', 'json', 'apply', 'put', 'put'] as const)
      if (type === 'json')
        return patch('json', `${at}/scale`, [
          { op: pick(rng, ['replace', 'test', 'remove']), path: '/spec/replicas', value: 4 },
        ])
      const whole = {
        apiVersion: pick(rng, ['autoscaling/v1', 'autoscaling/v1', 'apps/v1', 'autoscaling/v2']),
        kind: pick(rng, ['Scale', 'Scale', 'Scale', sample.kind]),
        ...body,
        metadata: { name: nameOf(sample), namespace: '{{ns}}', ...('metadata' in body ? body.metadata : {}) },
      }
      if (type === 'put')
        return step('PUT', `${at}/scale`, whole, query(rng, { dryRun: ['All'], fieldValidation: ['Strict'] }, 0.1))
      if (type === 'apply') return patch('apply', `${at}/scale`, whole, { query: { fieldManager: 's', force: true } })
      return patch(type, `${at}/scale`, body, query(rng, { dryRun: ['All'] }, 0.1))
    }
    return [
      NAMESPACE,
      post(path, objectOf(sample)),
      get(`${at}/scale`),
      scale(),
      scale(),
      get(at),
      get(`${path}/nope/scale`),
    ]
  },
}

const pods: Family = {
  name: 'pods',
  weight: 1.5,
  make(rng) {
    const pod = samples.find(({ kind }) => kind === 'Pod') as Sample
    const path = collectionOf(pod)
    const at = `${path}/o0`
    const object = objectOf(pod, 0, { labels: { app: 'web' } })
    const acts: readonly (() => Draft)[] = [
      () =>
        post(`${at}/binding`, {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'o0' },
          target: pick(rng, [
            { kind: 'Node', name: 'n' },
            { name: 'n' },
            { kind: 'Pod', name: 'n' },
            { kind: 'Node' },
            {},
          ]),
        }),
      () =>
        post(
          `${at}/eviction`,
          pick(rng, [
            { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'o0', namespace: '{{ns}}' } },
            { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'other' } },
            { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'o0' } },
            { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'o0' }, deleteOptions: { dryRun: ['All'] } },
            {
              apiVersion: 'policy/v1',
              kind: 'Eviction',
              metadata: { name: 'o0' },
              deleteOptions: { preconditions: { uid: 'x' } },
            },
            {},
          ]),
        ),
      () =>
        step('PUT', `${at}/status`, {
          ...object,
          status: pick(rng, [{ phase: 'Running' }, { phase: 'Succeeded' }, { phase: 'nope' }, { phase: 'Failed' }, {}]),
        }),
      () =>
        patch(
          'merge',
          at,
          pick(rng, [
            { spec: { containers: null } },
            { spec: { nodeName: 'n' } },
            { spec: { activeDeadlineSeconds: 5 } },
            { spec: { tolerations: [] } },
            { spec: { terminationGracePeriodSeconds: 1 } },
            { spec: { schedulingGates: [{ name: 'a' }] } },
          ]),
        ),
      () =>
        patch(
          'strategic',
          at,
          pick(rng, [
            { spec: { containers: [{ name: 'c', image: 'other' }] } },
            { spec: { containers: [{ name: 'c', env: [{ name: 'A', value: '2' }] }] } },
            { spec: { tolerations: [{ key: 'new', operator: 'Exists' }] } },
          ]),
        ),
      () => deletion(rng, at),
      () => get(`${at}/log`),
      () =>
        post('/apis/policy/v1/namespaces/{{ns}}/poddisruptionbudgets', {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'b' },
          spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
        }),
      () => get(`${at}/ephemeralcontainers`),
    ]
    return [
      NAMESPACE,
      {
        ...post(
          path,
          chance(rng, 0.2) ? { ...object, spec: { ...(object['spec'] as object), nodeName: 'n' } } : object,
        ),
        capture: { rv1: '/metadata/resourceVersion', uid1: '/metadata/uid' },
      },
      ...Array.from({ length: 4 }, () => pick(rng, acts)()),
      get(at),
    ]
  },
}

const namespaces: Family = {
  name: 'namespaces',
  weight: 0.7,
  make(rng) {
    const at = '/api/v1/namespaces/{{ns}}'
    const acts: readonly (() => Draft)[] = [
      () =>
        step('PUT', `${at}/finalize`, {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: '{{ns}}' },
          spec: { finalizers: pick(rng, [[], ['kubernetes'], ['a.b/c'], ['nope']]) },
        }),
      () =>
        patch(
          'merge',
          at,
          pick(rng, [
            { spec: { finalizers: [] } },
            { metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } } },
            { metadata: { labels: null } },
            { metadata: { labels: { a: 'b' } } },
            { metadata: { finalizers: ['a.b/c'] } },
            { status: { phase: 'Terminating' } },
          ]),
        ),
      () =>
        step('PUT', `${at}/status`, {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: '{{ns}}' },
          status: { phase: pick(rng, ['Terminating', 'Active', 'nope']) },
        }),
      () => step('DELETE', at, pick(rng, DELETE_BODIES.slice(0, 12))),
      () => get(at),
      () => post('/api/v1/namespaces/{{ns}}/configmaps', { metadata: { name: 'a' } }),
      () => step('DELETE', '/api/v1/namespaces/default'),
      () => step('DELETE', '/api/v1/namespaces', undefined, { query: { labelSelector: 'none={{u}}' } }),
    ]
    return [
      { ...NAMESPACE, capture: { uid1: '/metadata/uid', rv1: '/metadata/resourceVersion' } },
      ...Array.from({ length: 5 }, () => pick(rng, acts)()),
    ]
  },
}

const EVENT_NAMES = [
  'a:b',
  'a.1',
  'A',
  'a:b:c',
  'web.17a:2',
  'a b',
  'x'.repeat(254),
  '10.1.1.1:80.x',
  'a/b',
  'ä',
  '*',
] as const

const events: Family = {
  name: 'events',
  weight: 0.7,
  make(rng) {
    const kinds = samples.filter(({ kind }) => kind === 'Event')
    const sample = pick(rng, kinds)
    const name = pick(rng, EVENT_NAMES)
    const object = { ...objectOf(sample), metadata: { name } }
    const fields = Object.keys(sample.fields)
    const field = pick(rng, fields)
    const spoiled = { ...object, [field]: spoil(rng, (object as Record<string, unknown>)[field]) }
    const reads = kinds.map((kind) => get(`${collectionOf(kind)}/${encodeURIComponent(name)}`))
    return [
      NAMESPACE,
      post(collectionOf(sample), chance(rng, 0.5) ? object : spoiled),
      ...reads,
      patch(
        'merge',
        `${collectionOf(sample)}/${encodeURIComponent(name)}`,
        pick(rng, [
          { count: 2 },
          { series: { count: 2, lastObservedTime: '2020-01-01T00:00:00.000000Z' } },
          { note: 'x' },
          { reason: null },
        ]),
      ),
      get(collectionOf(pick(rng, kinds))),
    ]
  },
}

export const livingFamilies: readonly Family[] = [deletes, collections, scales, pods, namespaces, events]
