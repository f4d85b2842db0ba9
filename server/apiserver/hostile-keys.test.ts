/** Names such as `__proto__` come as data, stay data, and lead nowhere. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type As, as, configMaps, freshNamespace, RBAC, role, user } from './access/testing/rights'
import { type Answered, startTestServer, type TestServer } from './testing/start-server'

const HOSTILE = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']
const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' }
const APPLY = { 'Content-Type': 'application/apply-patch+yaml' }
const STRATEGIC = { 'Content-Type': 'application/strategic-merge-patch+json' }
const YAML = { 'Content-Type': 'application/yaml' }
const THINGS = '/apis/example.com/v1/namespaces/default/things'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const made = await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
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
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open } } },
        },
      ],
    },
  })
  expect(made.status).toBe(201)
  while ((await server.send('GET', THINGS)).status !== 200) await new Promise((resolve) => setImmediate(resolve))
})
afterAll(async () => {
  await server.close()
  expect(server.faults).toEqual([])
})

/** Fails for an object anywhere in the value that has another prototype than a literal has. */
function expectPlain(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(value))
  for (const field of Object.values(value)) expectPlain(field)
}

/** What is in the store in memory, which is what admission and authorization read. */
function expectStorePlain(resource: string, key: string): void {
  expectPlain(server.store.get({ keyspace: '', resource, key })?.value)
  expect(Object.keys(Object.prototype)).toEqual([])
}

/** JSON that has the hostile names as fields of their own, unlike a literal. */
const fieldsOf = (entries: [string, unknown][]): object => Object.fromEntries(entries)
const hostileData = fieldsOf(HOSTILE.map((name) => [name, 'x']))

const name = fc.constantFrom(...HOSTILE, 'a', 'b')
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>('x', 1, true),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }).map((entries) => fieldsOf(entries)),
  ),
}))
const anyFields = fc.array(fc.tuple(name, tree), { maxLength: 4 }).map((entries) => fieldsOf(entries))

let count = 0
const thing = (id: string, spec: unknown): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: id, namespace: 'default' },
  spec,
})

/** RFC 7386 by way of maps. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const isFields = typeof target === 'object' && target !== null && !Array.isArray(target)
  const fields = new Map<string, unknown>(isFields ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) fields.set(key, merged(fields.get(key), value))
  return Object.fromEntries(fields)
}

describe('an object with hostile names at every level', () => {
  const runs = { seed: 16, numRuns: 40 }

  it('is stored as it was sent, by whichever way it came', async () => {
    await fc.assert(
      fc.asyncProperty(anyFields, anyFields, async (spec, change) => {
        const [sent, applied, patched] = [1, 2, 3].map((way) => `thing-${++count}-${way}`) as [string, string, string]
        const read = async (id: string): Promise<unknown> => (await server.send('GET', `${THINGS}/${id}`)).body.spec
        expect((await server.send('POST', THINGS, thing(sent, spec))).status).toBe(201)
        const text = JSON.stringify(thing(applied, spec))
        expect((await server.send('PATCH', `${THINGS}/${applied}?fieldManager=m`, text, APPLY)).status).toBe(201)
        expect((await server.send('POST', THINGS, JSON.stringify(thing(patched, {})), YAML)).status).toBe(201)
        const operation = { op: 'replace', path: '/spec', value: spec }
        expect((await server.send('PATCH', `${THINGS}/${patched}`, [operation], JSON_PATCH)).status).toBe(200)
        for (const id of [sent, applied, patched]) {
          expect(JSON.stringify(await read(id))).toBe(JSON.stringify(spec))
          expectStorePlain('things.example.com', `default/${id}`)
        }
        expect((await server.send('PATCH', `${THINGS}/${sent}`, { spec: change })).status).toBe(200)
        expect(await read(sent)).toEqual(merged(spec, change))
        expect(
          (
            await server.send('PUT', `${THINGS}/${patched}`, {
              ...(await server.send('GET', `${THINGS}/${patched}`)).body,
              spec: change,
            })
          ).status,
        ).toBe(200)
        expect(await read(patched)).toEqual(change)
        for (const id of [sent, patched]) expectStorePlain('things.example.com', `default/${id}`)
      }),
      runs,
    )
  })

  it('is patched below these names only where it has them', async () => {
    await fc.assert(
      fc.asyncProperty(name, name, name, async (one, two, three) => {
        const id = `thing-${++count}`
        await server.send('POST', THINGS, thing(id, fieldsOf([[one, {}]])))
        const missing = [{ op: 'add', path: `/spec/${one}/${two}/${three}`, value: 'x' }]
        expect((await server.send('PATCH', `${THINGS}/${id}`, missing, JSON_PATCH)).status).toBe(422)
        const operations = [
          { op: 'add', path: `/spec/${one}/${two}`, value: {} },
          { op: 'add', path: `/spec/${one}/${two}/${three}`, value: 'x' },
          { op: 'copy', from: `/spec/${one}/${two}`, path: `/spec/${one}/copy` },
          { op: 'test', path: `/spec/${one}/${two}/${three}`, value: 'x' },
        ]
        const { status, body } = await server.send('PATCH', `${THINGS}/${id}`, operations, JSON_PATCH)
        const inner = fieldsOf([[three, 'x']])
        expect([status, body.spec]).toEqual([
          200,
          fieldsOf([
            [
              one,
              fieldsOf([
                [two, inner],
                ['copy', inner],
              ]),
            ],
          ]),
        ])
        expectStorePlain('things.example.com', `default/${id}`)
      }),
      { seed: 17, numRuns: 30 },
    )
  })

  it.each<[string, (id: string) => Promise<Answered>]>([
    ['POST as YAML', (id) => server.send('POST', configMaps('default'), yamlOf(id), YAML)],
    ['a strategic merge patch', (id) => patchedMap(id, { data: hostileData }, STRATEGIC)],
    ['a merge patch', (id) => patchedMap(id, { data: hostileData }, {})],
    ['an apply', (id) => server.send('PATCH', `${configMaps('default')}/${id}?fieldManager=m`, yamlOf(id), APPLY)],
  ])('keeps the data of a ConfigMap written by %s', async (_way, write) => {
    const id = `map-${++count}`
    expect((await write(id)).status).toBeLessThan(300)
    const { body } = await server.send('GET', `${configMaps('default')}/${id}`)
    expect(Object.entries(body.data as object).toSorted()).toEqual(Object.entries(hostileData).toSorted())
    expectStorePlain('configmaps', `default/${id}`)
  })

  const yamlOf = (id: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${id}\ndata:\n${HOSTILE.map((key) => `  ${key}: x\n`).join('')}`
  const patchedMap = async (id: string, patch: object, type: Record<string, string>): Promise<Answered> => {
    await server.send('POST', configMaps('default'), { metadata: { name: id } })
    return server.send('PATCH', `${configMaps('default')}/${id}`, patch, type)
  }
})

describe('a hostile name', () => {
  it.each(HOSTILE)('%s is no field that can be selected', async (field) => {
    for (const path of ['/api/v1/pods', '/api/v1/configmaps', '/apis/batch/v1/jobs', THINGS]) {
      expect((await server.send('GET', `${path}?fieldSelector=${field}%3Dx`)).status).toBe(400)
    }
  })

  it('is a label that objects without it do not have', async () => {
    await server.send('POST', configMaps('default'), { metadata: { name: 'plain', labels: { app: 'labels' } } })
    const labels = { app: 'labels', constructor: 'x', toString: 'y' }
    await server.send('POST', configMaps('default'), { metadata: { name: 'labelled', labels } })
    const found = async (selector: string): Promise<string[]> => {
      const query = encodeURIComponent(`app=labels,${selector}`)
      const { body } = await server.send('GET', `${configMaps('default')}?labelSelector=${query}`)
      return (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)
    }
    expect(await found('constructor')).toEqual(['labelled'])
    expect(await found('!toString')).toEqual(['plain'])
    expect(await found('valueOf')).toEqual([])
    expect(await found('constructor in (x)')).toEqual(['labelled'])
  })

  it.each(['Deployment', 'Pod'])('as a resource, a volume or a kind of %s is no fault', async (kind) => {
    const limits = fieldsOf(HOSTILE.map((one) => [one, '1']))
    const container = { name: 'c', image: 'nginx', resources: { limits: { cpu: '1' }, requests: limits } }
    const pod = {
      containers: [container],
      volumes: [fieldsOf([['name', 'v'], ...HOSTILE.map((one): [string, unknown] => [one, {}])])],
    }
    const path = kind === 'Pod' ? '/api/v1/namespaces/default/pods' : '/apis/apps/v1/namespaces/default/deployments'
    const template = { metadata: { labels: { a: 'b' } }, spec: pod }
    const spec = kind === 'Pod' ? pod : { selector: { matchLabels: { a: 'b' } }, template }
    const metadata = { name: `odd-${kind.toLowerCase()}`, annotations: hostileData }
    expect((await server.send('POST', path, { metadata, spec })).status).toBeLessThan(500)
  })

  it('as an extra of an impersonated user is an extra', async () => {
    const headers = {
      'Impersonate-User': 'eve',
      'Impersonate-Extra-__proto__': 'x',
      'Impersonate-Extra-constructor': 'y',
    }
    const review = await server.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, headers)
    const { userInfo } = review.body.status as { userInfo: { extra: object } }
    expect(Object.entries(userInfo.extra).toSorted()).toEqual([
      ['__proto__', ['x']],
      ['constructor', ['y']],
    ])
  })

  it('in a schedule, a bound object or a custom rule is refused', async () => {
    const template = {
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
    }
    for (const schedule of HOSTILE) {
      const job = { metadata: { name: 'j' }, spec: { schedule, jobTemplate: template } }
      expect((await server.send('POST', '/apis/batch/v1/namespaces/default/cronjobs', job)).status).toBe(422)
    }
    await server.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'sa' } })
    for (const kind of HOSTILE) {
      const bound = { spec: { audiences: [], boundObjectRef: { apiVersion: 'v1', kind, name: 'x' } } }
      const path = '/api/v1/namespaces/default/serviceaccounts/sa/token'
      expect((await server.send('POST', path, bound)).status).toBe(400)
    }
  })
})

describe('rights that a role would inherit from a hostile name', () => {
  const limited = { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['foo'] }
  const onRoles = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['get', 'update', 'patch'] }

  async function tenant(): Promise<{ eve: As; ns: string }> {
    const ns = await freshNamespace(server)
    const path = `${RBAC}/namespaces/${ns}`
    await server.send('POST', `${path}/roles`, { metadata: { name: 'editor' }, rules: [limited, onRoles] })
    await server.send('POST', `${path}/roles`, { metadata: { name: 'mine' }, rules: [limited] })
    for (const one of ['editor', 'mine']) {
      await server.send('POST', `${path}/rolebindings`, {
        metadata: { name: one },
        roleRef: role(one),
        subjects: [user('eve')],
      })
    }
    await server.send('POST', `/api/v1/namespaces/${ns}/secrets`, { metadata: { name: 'bar' } })
    return { eve: as(server, 'eve', JSON_PATCH), ns }
  }

  it.each<[string, unknown[][]]>([
    [
      'in one patch',
      [
        [
          { op: 'add', path: '/rules/0/__proto__', value: { resourceNames: ['foo'] } },
          { op: 'remove', path: '/rules/0/resourceNames' },
        ],
      ],
    ],
    [
      'in two',
      [
        [{ op: 'add', path: '/rules/0/__proto__', value: { resourceNames: ['foo'] } }],
        [{ op: 'remove', path: '/rules/0/resourceNames' }],
      ],
    ],
    [
      'by a copy',
      [
        [
          { op: 'copy', from: '/rules/0', path: '/rules/0/__proto__' },
          { op: 'remove', path: '/rules/0/resourceNames' },
        ],
      ],
    ],
    [
      'by a new rule',
      [
        [
          { op: 'add', path: '/rules/-', value: { apiGroups: [''], resources: ['secrets'], verbs: ['get'] } },
          { op: 'add', path: '/rules/1/__proto__', value: { resourceNames: ['foo'] } },
        ],
      ],
    ],
  ])('are not granted %s', async (_how, patches) => {
    const { eve, ns } = await tenant()
    const secret = `/api/v1/namespaces/${ns}/secrets/bar`
    expect((await eve('GET', secret)).status).toBe(403)
    const statuses: number[] = []
    for (const patch of patches) {
      statuses.push((await eve('PATCH', `${RBAC}/namespaces/${ns}/roles/mine`, patch)).status)
    }
    expect(statuses.at(-1)).toBe(403)
    expect((await eve('GET', secret)).status).toBe(403)
    expectStorePlain('roles.rbac.authorization.k8s.io', `${ns}/mine`)
  })
})
