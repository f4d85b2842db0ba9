/**
 * A body twice as long takes about twice the time. Each sort of body is written at one size and at four times the size:
 * a rule that compares each item with each other would take sixteen times as long.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './testing/start-server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const CORE = '/api/v1/namespaces/default'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const APPLY = { 'Content-Type': 'application/apply-patch+yaml' }
const STRATEGIC = { 'Content-Type': 'application/strategic-merge-patch+json' }
const YAML = { 'Content-Type': 'application/yaml' }

const list = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index))
const map = (length: number, value: (index: number) => unknown): object =>
  Object.fromEntries(list(length, (index) => [`example.com/k${index}`, value(index)]))
const deployment = (name: string, pod: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: pod } },
})
const container = (own: object): object => ({ containers: [{ name: 'c', image: 'i', ...own }] })
const pods =
  (pod: (length: number) => object) =>
  (length: number, name: string): object =>
    deployment(name, pod(length))
const meta =
  (own: (length: number) => object) =>
  (length: number, name: string): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...own(length) },
  })

type Body = (length: number, name: string) => object
const LISTS: [what: string, path: string, body: Body][] = [
  [
    'environment variables',
    DEPLOYMENTS,
    pods((n) => container({ env: list(n, (i) => ({ name: `E${i}`, value: 'x' })) })),
  ],
  ['ports', DEPLOYMENTS, pods((n) => container({ ports: list(n, (i) => ({ containerPort: 1 + i })) }))],
  [
    'volumes and mounts',
    DEPLOYMENTS,
    pods((n) => ({
      ...container({ volumeMounts: list(n, (i) => ({ name: `v${i}`, mountPath: `/m${i}` })) }),
      volumes: list(n, (i) => ({ name: `v${i}`, emptyDir: {} })),
    })),
  ],
  [
    'tolerations',
    DEPLOYMENTS,
    pods((n) => ({ ...container({}), tolerations: list(n, (i) => ({ key: `k${i}`, operator: 'Exists' })) })),
  ],
  [
    'limits',
    DEPLOYMENTS,
    pods((n) => container({ resources: { limits: map(n, () => '1'), requests: map(n, () => '1') } })),
  ],
  ['finalizers', `${CORE}/configmaps`, meta((n) => ({ finalizers: list(n, (i) => `example.com/f${i}`) }))],
  ['labels', `${CORE}/configmaps`, meta((n) => ({ labels: map(n, () => 'x') }))],
]

let count = 0

type Write = (length: number, name: string) => Promise<number>

/** Processor time of one write in milliseconds, which other processes of the machine do not lengthen. */
async function costOf(write: Write, length: number): Promise<number> {
  const start = process.cpuUsage()
  expect(await write(length, `slope-${++count}`)).toBeLessThan(500)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Shorter durations are too noisy for a slope. */
const MIN_MS = 15
const ATTEMPTS = 4

/** Four times as much takes less than ten times as long; sixteen is what a quadratic rule takes, at every attempt. */
async function expectSlope(small: number, write: Write): Promise<void> {
  const ratios: number[] = []
  do {
    const one = await costOf(write, small)
    ratios.push((await costOf(write, 4 * small)) / Math.max(one, MIN_MS))
  } while (ratios.at(-1)! >= 10 && ratios.length < ATTEMPTS)
  expect(Math.min(...ratios), ratios.join(', ')).toBeLessThan(10)
}

describe('the time of a write grows no faster than its body', () => {
  it.each(LISTS)('with %s', async (_what, path, body) => {
    await expectSlope(1000, async (length, name) => {
      const made = await server.send('POST', path, body(length, name))
      await server.send('PATCH', `${path}/${name}?fieldManager=a&force=true`, body(length, name), APPLY)
      const patch = JSON.parse(JSON.stringify(body(length, name))) as { metadata: { annotations?: object } }
      patch.metadata.annotations = { changed: 'yes' }
      await server.send('PATCH', `${path}/${name}`, patch, STRATEGIC)
      await server.send('PATCH', `${path}/${name}?fieldManager=a&force=true`, patch, APPLY)
      return made.status
    })
  })

  it.each<[string, string, Body]>([
    [
      'owners',
      `${CORE}/configmaps`,
      meta((n) => ({ ownerReferences: list(n, (i) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: `u${i}` })) })),
    ],
    [
      'field owners',
      `${CORE}/configmaps`,
      meta((n) => ({
        managedFields: list(n, (i) => ({
          manager: `m${i}`,
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
        })),
      })),
    ],
    [
      'assignments of a quota',
      '/apis/policy.karmada.io/v1alpha1/namespaces/default/federatedresourcequotas',
      (n, name) => ({
        metadata: { name },
        spec: {
          overall: map(n, () => '1'),
          staticAssignments: list(n, (i) => ({ clusterName: `m${i}`, hard: { cpu: '1' } })),
        },
      }),
    ],
    [
      'taints of a cluster',
      '/apis/cluster.karmada.io/v1alpha1/clusters',
      (n, name) => ({
        metadata: { name },
        spec: { syncMode: 'Push', taints: list(n, (i) => ({ key: `k${i}`, effect: 'NoSchedule' })) },
      }),
    ],
    ['wrong names of variables', DEPLOYMENTS, pods((n) => container({ env: list(n, () => ({ name: '' })) }))],
    [
      'webhooks of one name',
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      (n, name) => ({ metadata: { name }, webhooks: list(n, () => ({ name: 'a.b.c' })) }),
    ],
  ])('with %s', async (_what, path, body) => {
    await expectSlope(1000, async (length, name) => (await server.send('POST', path, body(length, name))).status)
  })

  it.each<[string, (length: number) => string]>([
    ['keys', (n) => list(n, (i) => `  k${i}: x\n`).join('')],
    ['keys in braces', (n) => `  {${list(n, (i) => `k${i}: x`).join(', ')}}\n`],
    ['explicit keys', (n) => list(n, (i) => `  ? k${i}\n  : x\n`).join('')],
    ['the same key', (n) => '  k: x\n'.repeat(n)],
    ['anchors and aliases', (n) => list(n, (i) => `  k${i}: &a${i} x\n  l${i}: *a${i}\n`).join('')],
    ['open brackets', (n) => '['.repeat(4 * n)],
    ['dashes', (n) => `  ${'- '.repeat(4 * n)}`],
  ])('as YAML with %s', async (_what, data) => {
    await expectSlope(1500, async (length, name) => {
      const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${data(length)}`
      await server.send('PATCH', `${CORE}/configmaps/${name}?fieldManager=m`, text, APPLY)
      return (await server.send('POST', `${CORE}/configmaps`, text, YAML)).status
    })
  })

  it.each<[string, (length: number) => string]>([
    ['that ends in a word', (n) => `{"a":"${'a'.repeat(40 * n)}`],
    ['with letters where none belong', (n) => `{"a":"x" ${'a'.repeat(40 * n)}`],
    ['with quotes and backslashes', (n) => `{"a":"${'\\"'.repeat(20 * n)}\\\\" x`],
    [
      'with a field given again and again',
      (n) => `{"metadata":{"name":"x"},"data":{${list(n, () => '"k":"v"').join()}}}`,
    ],
  ])('as broken JSON %s', async (_what, text) => {
    await expectSlope(2000, async (length) => (await server.send('POST', `${CORE}/configmaps`, text(length))).status)
  })
})

describe('YAML', () => {
  it('of more than half a megabyte is refused', async () => {
    const text = `kind: ConfigMap\napiVersion: v1\nmetadata: {name: long}\ndata:\n  a: ${'x'.repeat(600_000)}\n`
    for (const [method, path, type] of [
      ['POST', `${CORE}/configmaps`, YAML],
      ['PATCH', `${CORE}/configmaps/long?fieldManager=m`, APPLY],
    ] as const)
      expect((await server.send(method, path, text, type)).status).toBe(413)
  })

  it('that repeats itself beyond the limit of a body is refused', async () => {
    const rows = list(12, (i) => `  k${i}: &k${i} [${`*k${i - 1},`.repeat(9)}]\n`)
      .slice(1)
      .join('')
    const text = `kind: ConfigMap\napiVersion: v1\nmetadata: {name: lol}\ndata:\n  k0: &k0 ${'x'.repeat(1000)}\n${rows}`
    expect((await server.send('POST', `${CORE}/configmaps`, text, YAML)).status).toBe(400)
  })
})
