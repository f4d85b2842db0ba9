/** A null at every position of a written body, by every way of writing: it is a zero or nothing, and never a fault. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { omit } from '@/lib/std/omit'
import { type Answered, startTestServer, type TestServer } from './testing/start-server'

type Json = null | string | number | boolean | Json[] | { [name: string]: Json }
type Fields = { [name: string]: Json }
interface Sample extends Fields {
  apiVersion: string
  kind: string
  metadata: Fields
}

const THING_SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        plain: { type: 'string' },
        nullable: { type: 'string', nullable: true },
        withDefault: { type: 'string', default: 'd' },
        count: { type: 'integer' },
        texts: { type: 'object', additionalProperties: { type: 'string' } },
        set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        list: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, value: { type: 'string' } },
          },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: {
      type: 'object',
      properties: { phase: { type: 'string' }, marks: { type: 'array', items: { type: 'string' } } },
    },
  },
}

const metadata = (): Fields => ({
  labels: { a: 'b' },
  annotations: { note: 'x' },
  finalizers: ['example.com/f'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }],
})
const template: Json = {
  metadata: { labels: { a: 'b' }, annotations: { note: 'x' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        args: ['x'],
        env: [{ name: 'E', value: 'v' }],
        ports: [{ containerPort: 80 }],
        resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
        livenessProbe: { httpGet: { path: '/', port: 80 } },
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
      },
    ],
    volumes: [{ name: 'v', configMap: { name: 'm', items: [{ key: 'k', path: 'p' }] } }],
    nodeSelector: { a: 'b' },
    tolerations: [{ key: 'k', operator: 'Exists' }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] }],
        },
      },
    },
  },
}
const KINDS: [path: string, object: Sample][] = [
  [
    '/apis/apps/v1/namespaces/default/deployments',
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadata(),
      spec: {
        replicas: 1,
        selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] },
        template,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
      },
      status: { replicas: 1, conditions: [{ type: 'Available', status: 'True' }] },
    },
  ],
  [
    '/api/v1/namespaces/default/configmaps',
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadata(),
      data: { k: 'v' },
      binaryData: { b: 'eA==' },
      immutable: false,
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: metadata(),
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['x'] }],
    },
  ],
  [
    '/api/v1/namespaces/default/services',
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata(),
      spec: { selector: { a: 'b' }, ports: [{ name: 'p', port: 80, targetPort: 'x' }], externalIPs: ['198.51.100.1'] },
      status: { loadBalancer: { ingress: [{ ip: '198.51.100.2' }] } },
    },
  ],
  [
    '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies',
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: metadata(),
      spec: {
        propagateDeps: true,
        resourceSelectors: [
          { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', labelSelector: { matchLabels: { a: 'b' } } },
        ],
        placement: {
          clusterAffinity: { clusterNames: ['m1'], labelSelector: { matchLabels: { a: 'b' } } },
          clusterTolerations: [{ key: 'k', operator: 'Exists' }],
          spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1 }],
          replicaScheduling: {
            replicaSchedulingType: 'Divided',
            replicaDivisionPreference: 'Weighted',
            weightPreference: { staticWeightList: [{ targetCluster: { clusterNames: ['m1'] }, weight: 1 }] },
          },
        },
        failover: { application: { decisionConditions: { tolerationSeconds: 5 } } },
      },
    },
  ],
  [
    '/apis/example.com/v1/namespaces/default/things',
    {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: metadata(),
      spec: {
        plain: 'x',
        nullable: 'x',
        withDefault: 'x',
        count: 1,
        texts: { k: 'v' },
        set: ['x'],
        list: [{ name: 'x' }],
        keyed: [{ name: 'x', value: 'y' }],
        free: { a: { b: [1] } },
      },
      status: { phase: 'x', marks: ['x'] },
    },
  ],
]

type Path = readonly (string | number)[]

/** Every value of the object, and one more in every map and list. */
function positions(value: Json | Sample, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path]
  if (Array.isArray(value))
    return [...own, ...value.flatMap((item, index) => positions(item, [...path, index])), [...path, value.length]]
  if (typeof value !== 'object' || value === null) return own
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, child]) => positions(child, [...path, name])),
    [...path, 'added'],
  ]
}

function withNull(sample: Sample, path: Path, name: string): Sample {
  const object = structuredClone(sample)
  object.metadata.name = name
  let holder = object as unknown as Record<string | number, Record<string | number, never>>
  for (const step of path.slice(0, -1)) holder = holder[step] as unknown as typeof holder
  holder[path.at(-1)!] = null as never
  return object
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { status } = await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: THING_SCHEMA },
          subresources: { status: {} },
        },
      ],
    },
  })
  expect(status).toBe(201)
  while ((await server.send('GET', KINDS.at(-1)![0])).status !== 200)
    await new Promise((resolve) => setImmediate(resolve))
})
afterAll(() => server.close())

type Way = (path: string, object: Sample, name: string) => Promise<Answered>
const patchOf =
  (type: string, query = ''): Way =>
  (path, object, name) =>
    server.send('PATCH', `${path}/${name}${query}`, JSON.stringify(object), { 'Content-Type': `application/${type}` })
const APPLY = patchOf('apply-patch+yaml', '?fieldManager=m&force=true')
/** With the version that custom objects are to be written with. */
function put(subresource: string): Way {
  return async (path, object, name) => {
    const {
      metadata: { resourceVersion },
    } = (await server.send('GET', `${path}/${name}`)).body
    const versioned = { ...object, ...(object.metadata && { metadata: { ...object.metadata, resourceVersion } }) }
    return server.send('PUT', `${path}/${name}${subresource}`, versioned)
  }
}
const WAYS: Record<string, { way: Way; onto: boolean }> = {
  POST: { way: (path, object) => server.send('POST', path, object), onto: false },
  'an apply of a new object': { way: APPLY, onto: false },
  PUT: { way: put(''), onto: true },
  'an apply': { way: APPLY, onto: true },
  'a merge patch': { way: patchOf('merge-patch+json'), onto: true },
  'a strategic merge patch': { way: patchOf('strategic-merge-patch+json'), onto: true },
  'a JSON patch': {
    way: (path, object, name) =>
      server.send(
        'PATCH',
        `${path}/${name}`,
        Object.entries(object).map(([field, value]) => ({ op: 'add', path: `/${field}`, value })),
        { 'Content-Type': 'application/json-patch+json' },
      ),
    onto: true,
  },
  'PUT of the status': { way: put('/status'), onto: true },
  'an apply to the status': { way: (path, object, name) => APPLY(path, object, `${name}/status`), onto: true },
  'a merge patch of the status': {
    way: (path, object, name) => patchOf('merge-patch+json')(path, object, `${name}/status`),
    onto: true,
  },
}

/**
 * As kube-apiserver words it: keyed lists and sets hold no null, no field is made up, and a patched custom object names its
 * version.
 */
const REFUSED = /^(failed to create typed patch object |Internal error occurred: Object 'apiVersion' is missing)/

describe.each(KINDS)('a null in what is written to %s', (path, sample) => {
  test.each(Object.entries(WAYS))('by %s is no fault of the server', async (_way, { way, onto }) => {
    const problems: string[] = []
    for (const [index, position] of positions(sample).entries()) {
      const name = `n-${Object.keys(WAYS).indexOf(_way)}-${index}`
      if (onto) await create(path, sample, name)
      const { status, body } = await way(path, withNull(sample, position, name), name)
      const faults = server.faults.splice(0)
      const isFault = status >= 500 && !REFUSED.test(String(body.message))
      const keepsNull = status < 300 && sample.kind !== 'Thing' && /[:,[]null/.test(meant(body))
      if (faults.length > 0 || isFault || keepsNull)
        problems.push(`${position.join('.')}: ${status} ${JSON.stringify(faults[0] ?? body)}`)
    }
    expect(problems).toEqual([])
  })
})

/**
 * The answer as text, without the names of owned fields, and without what kube-apiserver writes as null, too: the list
 * of a role and the times of conditions.
 */
const meant = ({ metadata, rules, ...rest }: Answered['body']): string =>
  JSON.stringify({ ...rest, metadata: omit(metadata, 'managedFields'), rules: rules ?? [] }).replaceAll(
    /"last(?:Transition|Update)Time":null/g,
    '""',
  )

async function create(path: string, sample: Sample, name: string): Promise<void> {
  const { status, body } = await server.send('POST', path, { ...sample, metadata: { ...sample.metadata, name } })
  expect(status, String(body.message)).toBe(201)
}

const WRITES = Object.entries(WAYS).filter(([name]) => !/status|merge patch/.test(name))
test.each(WRITES)(
  'a null in a map of texts or a list of texts, written by %s, is the empty text',
  async (_way, { way, onto }) => {
    const [path, sample] = KINDS[0]!
    const name = `texts-${Object.keys(WAYS).indexOf(_way)}`
    if (onto) await create(path, sample, name)
    const object = withNull(sample, ['metadata', 'annotations', 'k0'], name)
    const { status, body } = await way(
      path,
      withNull(object, ['spec', 'template', 'spec', 'containers', 0, 'args', 1], name),
      name,
    )
    expect(status).toBeLessThan(300)
    expect(body).toMatchObject({
      metadata: { annotations: { note: 'x', k0: '' } },
      spec: { template: { spec: { containers: [{ args: ['x', ''] }] } } },
    })
  },
)

test.each(WRITES)('a null in a custom object, written by %s, follows its schema', async (_way, { way, onto }) => {
  const [path, sample] = KINDS.at(-1)!
  const name = `custom-${Object.keys(WAYS).indexOf(_way)}`
  if (onto) await create(path, sample, name)
  const isApply = _way.startsWith('an apply')
  const spec = { plain: null, nullable: null, withDefault: null, free: { a: null } }
  const write = (given: Fields): ReturnType<typeof way> =>
    way(path, { ...sample, metadata: { ...sample.metadata, name }, spec: given }, name)
  // An apply takes such a null as a value, which it is not.
  if (isApply) expect((await write(spec)).status).toBe(422)
  const { status, body } = await write(isApply ? omit(spec, 'plain') : spec)
  expect(status).toBeLessThan(300)
  // An apply leaves what others own and it does not name, and what is there where no schema knows better than null.
  const others = _way === 'an apply' ? (sample.spec as Fields) : {}
  expect(body.spec).toEqual({ free: { a: null }, ...others, nullable: null, withDefault: 'd' })
})
