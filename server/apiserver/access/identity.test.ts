import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, startTestServer, type TestServer } from '../testing/start-server'
import { type As, as as asIn, clusterRole, configMaps, freshNamespace, RBAC } from './testing/rights'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const namespace = (): Promise<string> => freshNamespace(server)
const as = (name: string, more?: Record<string, string>): As => asIn(server, name, more)

describe('acting as another user', () => {
  const whoami = async (headers: Record<string, string>): Promise<unknown> => {
    const { body } = await server.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, headers)
    return (body.status as { userInfo?: unknown }).userInfo
  }

  test.each<[who: string, headers: Record<string, string>, identity: object]>([
    ['a user', { 'Impersonate-User': 'ann' }, { username: 'ann', groups: ['system:authenticated'] }],
    [
      'a user with groups and more',
      {
        'Impersonate-User': 'ann',
        'Impersonate-Group': 'dev',
        'Impersonate-Uid': '7',
        'Impersonate-Extra-example.com%2Fscopes': 'a',
      },
      { username: 'ann', uid: '7', groups: ['dev', 'system:authenticated'], extra: { 'example.com/scopes': ['a'] } },
    ],
    [
      'a service account',
      { 'Impersonate-User': 'system:serviceaccount:a:b' },
      {
        username: 'system:serviceaccount:a:b',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
      },
    ],
    [
      'a node',
      { 'Impersonate-User': 'system:node:n1' },
      { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
    ],
  ])('%s', async (_who, headers, identity) => {
    expect(await whoami(headers)).toEqual(identity)
  })

  test('a client that acts as system:anonymous has no rights of authenticated users', async () => {
    const { status } = await as('system:anonymous')('GET', '/apis')
    expect(status).toBe(403)
  })

  test('takes a user', async () => {
    const { status, body } = await server.send('GET', '/apis', undefined, { 'Impersonate-Group': 'dev' })
    expect([status, body.message]).toEqual([
      400,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)} '
        + 'without impersonating a user name',
    ])
  })

  test('takes the right to', async () => {
    const ns = await namespace()
    const token = await tokenOf(ns, 'robot')
    const send = (headers: Record<string, string>): Promise<Answered> =>
      server.send('GET', configMaps(ns), undefined, { Authorization: `Bearer ${token}`, ...headers })
    const first = await send({ 'Impersonate-User': 'ann' })
    expect([first.status, first.body.message]).toEqual([
      403,
      `configmaps is forbidden: User "system:serviceaccount:${ns}:robot" cannot impersonate-on:user-info:list `
        + `resource "configmaps" in API group "" in the namespace "${ns}"`,
    ])
    const rules = [{ apiGroups: [''], resources: ['users'], resourceNames: ['ann'], verbs: ['impersonate'] }]
    await server.send('POST', `${RBAC}/clusterroles`, { metadata: { name: 'as-ann' }, rules })
    await server.send('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'as-ann' },
      roleRef: clusterRole('as-ann'),
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: ns }],
    })
    const asAnn = await send({ 'Impersonate-User': 'ann' })
    expect(asAnn.body.message).toContain('User "ann" cannot list resource "configmaps"')
    expect((await send({ 'Impersonate-User': 'bob' })).body.message).toContain('cannot impersonate-on:user-info:list')
    expect((await send({ 'Impersonate-User': 'ann', 'Impersonate-Group': 'system:masters' })).status).toBe(403)
  })
})

/** Creates a service account and answers a token of it. */
async function tokenOf(ns: string, name: string, spec: object = {}): Promise<string> {
  await server.send('POST', `/api/v1/namespaces/${ns}/serviceaccounts`, { metadata: { name } })
  const { status, body } = await server.send('POST', `/api/v1/namespaces/${ns}/serviceaccounts/${name}/token`, { spec })
  expect(status).toBe(201)
  return (body.status as { token: string }).token
}

describe('a token of a service account', () => {
  const review = async (token: string, audiences?: string[]): Promise<Record<string, unknown>> => {
    const path = '/apis/authentication.k8s.io/v1/tokenreviews'
    const { body } = await server.send('POST', path, { spec: { token, audiences } })
    return body.status as Record<string, unknown>
  }
  const list = (ns: string, token: string): Promise<Answered> =>
    server.send('GET', configMaps(ns), undefined, { Authorization: `Bearer ${token}` })

  test('says whose it is until its time is over', async () => {
    const ns = await namespace()
    const token = await tokenOf(ns, 'robot', { expirationSeconds: 600 })
    expect((await list(ns, token)).status).toBe(403)
    const user = { username: `system:serviceaccount:${ns}:robot` }
    expect(await review(token)).toMatchObject({ authenticated: true, user })
    server.clock.advance(601_000)
    expect((await list(ns, token)).status).toBe(401)
    expect(await review(token)).toEqual({ user: {}, error: 'service account token has expired' })
  })

  test('expires with its account, and with the object it is bound to', async () => {
    const ns = await namespace()
    await server.send('POST', `/api/v1/namespaces/${ns}/secrets`, { metadata: { name: 's' } })
    const bound = await tokenOf(ns, 'robot', { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's' } })
    const free = await tokenOf(ns, 'robot')
    await server.send('DELETE', `/api/v1/namespaces/${ns}/secrets/s`)
    expect([(await list(ns, bound)).status, (await list(ns, free)).status]).toEqual([401, 403])
    await server.send('DELETE', `/api/v1/namespaces/${ns}/serviceaccounts/robot`)
    await server.send('POST', `/api/v1/namespaces/${ns}/serviceaccounts`, { metadata: { name: 'robot' } })
    expect((await list(ns, free)).status).toBe(401)
  })

  test('is good for its audience only', async () => {
    const ns = await namespace()
    const token = await tokenOf(ns, 'robot', { audiences: ['vault'] })
    expect((await list(ns, token)).status).toBe(401)
    expect(await review(token, ['vault', 'other'])).toMatchObject({ authenticated: true, audiences: ['vault'] })
    expect(await review(token)).not.toHaveProperty('authenticated')
  })

  test('cannot be made by others', async () => {
    const ns = await namespace()
    const [head, body, signature] = (await tokenOf(ns, 'robot')).split('.') as [string, string, string]
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
    const forged = Buffer.from(JSON.stringify({ ...claims, exp: 9e9 })).toString('base64url')
    expect((await list(ns, `${head}.${forged}.${signature}`)).status).toBe(401)
    expect((await list(ns, `${head}.${body}.`)).status).toBe(401)
  })

  test('is refused for a short time, and for an account that is not there', async () => {
    const ns = await namespace()
    const ask = (spec: object): Promise<Answered> =>
      server.send('POST', `/api/v1/namespaces/${ns}/serviceaccounts/no/token`, { spec })
    expect((await ask({})).body.message).toBe('serviceaccounts "no" not found')
    await tokenOf(ns, 'no')
    const { body } = await ask({ expirationSeconds: 5 })
    expect(body.message).toContain('may not specify a duration less than 10 minutes')
  })
})
