/** Requests that few clients send: bodies that are no objects, media types, and methods and paths that nothing is served at. */
import { chance, pick } from '../../broken/mutate'
import { type Draft, type Family, get, NAMESPACE, PATCHES, post, query, step, WRITE_OPTIONS } from '../family'
import { collectionOf, nameOf, objectOf, type Sample, samples } from '../samples'

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
      const body = chance(rng, 0.8)
        ? { rawBody: ownNames(sample, pick(rng, RAW_BODIES)) }
        : { rawBody: JSON.stringify(objectOf(sample)) }
      // Whole collections outside of the namespace are not the sequence's to delete.
      const whole = sample.namespaced && chance(rng, 0.1)
      const where = method === 'POST' || whole ? path : at
      return step(method, where, undefined, { ...body, headers, ...query(rng, WRITE_OPTIONS, 0.1) })
    }
    return [NAMESPACE, post(path, objectOf(sample)), request(), request(), request()]
  },
}

/** Objects of the cluster outlive the sequence: their names are its own. */
function ownNames({ namespaced }: Sample, body: string): string {
  return namespaced ? body : body.replaceAll(/\b(name"?: ?"?)(a|o0|o1)\b/g, '$1$2-{{u}}')
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

export const requestFamilies: readonly Family[] = [raw, methods]
