/** Requests of a few kilobytes that ask for far more work or memory than they are long. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as, configMaps, freshNamespace, RBAC, role, user } from './access/testing/rights'
import { type Answered, startTestServer, type TestServer } from './testing/start-server'

const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await server.close()
  expect(server.faults).toEqual([])
})

let count = 0
async function patched(data: object, operations: readonly unknown[]): Promise<Answered> {
  const name = `map-${++count}`
  await server.send('POST', configMaps('default'), { metadata: { name }, data })
  return server.send('PATCH', `${configMaps('default')}/${name}`, operations, JSON_PATCH)
}

describe('a JSON patch', () => {
  it.each<[string, unknown[], number]>([
    [
      'that doubles a list 26 times',
      [
        { op: 'add', path: '/data/list', value: ['x'] },
        ...Array.from({ length: 26 }, () => ({ op: 'copy', from: '/data', path: '/data/more' })),
      ],
      422,
    ],
    [
      'that doubles an object 26 times by name',
      Array.from({ length: 26 }, (_, index) => ({ op: 'copy', from: '/data', path: `/data/c${index}` })),
      422,
    ],
    [
      'that doubles the depth 26 times',
      [
        { op: 'add', path: '/a', value: {} },
        ...Array.from({ length: 12 }, (_, index) => ({ op: 'copy', from: '/a', path: `/a${'/a'.repeat(2 ** index)}` })),
      ],
      422,
    ],
    [
      'that puts 3000 objects into each other',
      [
        ...Array.from({ length: 3000 }, (_, index) => ({ op: 'add', path: `/n${index}`, value: {} })),
        ...Array.from({ length: 2999 }, (_, index) => ({ op: 'move', from: `/n${index}`, path: `/n${index + 1}/in` })),
      ],
      422,
    ],
    [
      'of 10,001 operations',
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' })),
      413,
    ],
    [
      'of 10,000 copies of little',
      Array.from({ length: 9_999 }, () => ({ op: 'copy', from: '/metadata/name', path: '/data/name' })),
      200,
    ],
    [
      'that makes 3 MiB of a value that is refused',
      [{ op: 'add', path: '/data/list', value: Array.from({ length: 20_000 }, () => ({ name: 'x' })) }],
      422,
    ],
  ])('%s is answered', async (_what, operations, status) => {
    expect((await patched({ text: 'x'.repeat(100) }, operations)).status).toBe(status)
    expect((await server.send('GET', '/version')).status).toBe(200)
  })
})

describe('a role of millions of combinations', () => {
  const many = (word: string, length = 300): string[] => Array.from({ length }, (_, index) => `${word}${index}`)
  const onRoles = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create', 'update'] }
  const product = { apiGroups: many('g'), resources: many('r'), verbs: many('v') }

  async function tenant(
    name: string,
    rules: readonly object[],
  ): Promise<(rules: readonly object[]) => Promise<Answered>> {
    const ns = await freshNamespace(server)
    const path = `${RBAC}/namespaces/${ns}`
    await server.send('POST', `${path}/roles`, { metadata: { name }, rules: [onRoles, ...rules] })
    await server.send('POST', `${path}/rolebindings`, {
      metadata: { name },
      roleRef: role(name),
      subjects: [user(name)],
    })
    return (wanted) => as(server, name)('POST', `${path}/roles`, { metadata: { name: 'wanted' }, rules: wanted })
  }

  it('is refused to a user who lacks them, in an answer of limited size', async () => {
    const { status, body } = await (await tenant('tina', []))([product])
    expect(status).toBe(403)
    expect(body.message).toContain('is attempting to grant RBAC permissions not currently held')
    expect(JSON.stringify(body).length).toBeLessThan(50_000)
  })

  it('is granted by a user who holds them, in one rule or in parts', async () => {
    expect((await (await tenant('toni', [product]))([product])).status).toBe(201)
    const halves = [0, 150].map((start) => ({ ...product, verbs: product.verbs.slice(start, start + 150) }))
    expect((await (await tenant('tara', halves))([product])).status).toBe(201)
    expect((await (await tenant('theo', halves.slice(1)))([product])).status).toBe(403)
  })

  it('is not compared rule by rule without end', async () => {
    const rules = many('x', 4000).map((name) => ({
      apiGroups: [''],
      resources: ['pods'],
      verbs: ['get'],
      resourceNames: [name],
    }))
    const { status, body } = await (await tenant('ted', rules))(rules.toReversed())
    expect([status, body.message]).toEqual([403, expect.stringContaining('split them over several roles')])
  })
})
