import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRng } from '@/lib/std/rng'
import { startTestServer, type TestServer } from './testing/start-server'

const REQUESTS = 1500

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const template = {
  metadata: { labels: { app: 'w' } },
  spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'a', value: 'b' }], ports: [{ containerPort: 80 }] }] },
}

/** A collection and a valid object of it. */
const seeds: [path: string, object: object][] = [
  [
    '/api/v1/namespaces/default/configmaps',
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'f', labels: { a: 'b' }, finalizers: [] },
      data: { k: 'v' },
    },
  ],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'f' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'w' } }, template },
    },
  ],
  [
    '/api/v1/namespaces/default/pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'f' },
      spec: { ...template.spec, nodeName: 'n' },
      status: { phase: 'Running', containerStatuses: [{ name: 'c', ready: true, state: { running: {} } }] },
    },
  ],
  [
    '/api/v1/nodes',
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'f' },
      spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
      status: { conditions: [{ type: 'Ready', status: 'True' }], addresses: [{ type: 'InternalIP', address: '1' }] },
    },
  ],
  [
    '/api/v1/namespaces',
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'f' },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    },
  ],
  [
    '/api/v1/namespaces/default/events',
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'f' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
      count: 1,
      series: { count: 2 },
    },
  ],
  [
    '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies',
    {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'f' },
      spec: {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
        placement: {
          clusterAffinity: { clusterNames: ['m'] }, spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1 }],
        },
      },
    },
  ],
  [
    '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings',
    {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { name: 'f' },
      spec: { resource: { apiVersion: 'v1', kind: 'x', name: 'y' }, clusters: [{ name: 'a', replicas: 2 }] },
    },
  ],
  [
    '/apis/work.karmada.io/v1alpha1/namespaces/default/works',
    {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: { name: 'f' },
      spec: { workload: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }] } },
    },
  ],
  [
    '/apis/cluster.karmada.io/v1alpha1/clusters',
    {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'f', annotations: { 'sim.evenkeel.io/nodes': '1' } },
      spec: { syncMode: 'Push', taints: [{ key: 'a', effect: 'NoExecute' }] },
    },
  ],
]
const oddities: unknown[] = [
  null, true, 0, -1, 1.5, 1e308, '', 'x', 'a'.repeat(300), 'Ünï', [], {}, [null], [[[]]], { a: null }, '\u0000',
]
const patchTypes = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
  'text/plain',
]
const accepts = [
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'nonsense',
]
const parameters = [
  'limit',
  'continue',
  'labelSelector',
  'fieldSelector',
  'fieldValidation',
  'dryRun',
  'propagationPolicy',
  'gracePeriodSeconds',
  'includeObject',
]

const random = seededRng(20_261_121)
function pick<T>(from: readonly T[]): T {
  return from[random.below(from.length)] as T
}

/** Replaces or removes a value somewhere in an object. */
function mutate(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.next() < 0.15) return pick(oddities)
  const keys = Object.keys(value)
  if (keys.length === 0) return pick(oddities)
  const key = pick(keys)
  const child = (value as Record<string, unknown>)[key]
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? mutate(item) : item))
  return { ...value, [random.next() < 0.1 ? '__proto__' : key]: mutate(child) }
}

async function throwOne(): Promise<{ status: number; body: unknown }> {
  const [collection, seed] = pick(seeds)
  const method = pick(['POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'GET'])
  const onObject = method === 'PUT' || method === 'PATCH' || (
    method === 'GET' && random.next() < 0.5
  ) || method === 'DELETE'
  const query = random.next() < 0.2 ? `?${pick(parameters)}=${encodeURIComponent(String(pick(oddities)))}` : ''
  const path = `${collection}${onObject ? '/f' : ''}${onObject && random.next() < 0.15 ? pick(['/status', '/scale', '/nope', '/eviction']) : ''}${query}`
  const whole = random.next() < 0.2 ? seed : mutate(seed)
  const text = JSON.stringify(
    method === 'PATCH' && random.next() < 0.3
      ? [
        {
          op: pick(['add', 'remove', 'test', 'x']),
          path: pick(['/spec', '/metadata/name', '/data/k/0', 'x']),
          value: pick(oddities),
        },
      ]
      : whole
  )
  const body = method === 'GET' ? undefined : random.next() < 0.05 ? text.slice(0, random.below(text.length)) : text
  const type = method === 'PATCH' ? pick(patchTypes) : 'application/json'
  return server.send(method, path, body, { 'Content-Type': type, Accept: pick(accepts) })
}

test(`answers ${REQUESTS} malformed requests with an object or a Status, and never with a fault of its own`, async () => {
  for (let index = 0; index < REQUESTS; index++) {
    const { status, body } = await throwOne()
    if (status >= 400) {
      expect(body).toMatchObject({ kind: 'Status', status: 'Failure', code: status, message: expect.any(String) })
    }
  }
  expect(server.faults).toEqual([])
}, 120_000)
