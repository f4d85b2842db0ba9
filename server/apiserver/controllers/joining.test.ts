/** What a cluster that joins relies on: Secrets with tokens of service accounts, bootstrap tokens, `cluster-info`. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfSigned } from '../index'
import { startTestServer, type TestServer } from '../testing/start-server'

let server: TestServer
let certificate = ''

beforeAll(async () => {
  const tls = await selfSigned({ hosts: ['127.0.0.1'], now: Date.UTC(2026, 0, 1) })
  certificate = tls.cert
  server = await startTestServer({ tls })
})
afterAll(async () => {
  await server.close()
  expect(server.faults).toEqual([])
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const text = (data: unknown, name: string): string =>
  Buffer.from((data as Record<string, string>)[name] ?? '', 'base64').toString()

type Seen = Record<string, unknown> | undefined

/** Follows an object: each call resolves when it matches; undefined means deleted. */
async function follow(path: string, name: string): Promise<(wanted: (object: Seen) => boolean) => Promise<Seen>> {
  const watch = await server.watch(`${path}?watch=1&fieldSelector=metadata.name=${name}`)
  return async (wanted) => {
    for (;;) {
      const [event] = await watch.next(1)
      const object = event?.type === 'DELETED' ? undefined : event?.object
      if (wanted(object)) return object
    }
  }
}

test('a Secret of an account gets a token that lasts until the Secret or the account goes', async () => {
  const secrets = '/api/v1/namespaces/default/secrets'
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await server.send('POST', accounts, { metadata: { name: 'robot' } })
  const annotations = { 'kubernetes.io/service-account.name': 'robot' }
  const type = 'kubernetes.io/service-account-token'
  await server.send('POST', secrets, { metadata: { name: 'robot-token', annotations }, type })
  const until = await follow(secrets, 'robot-token')
  const filled = await until((secret) => secret?.data !== undefined)
  expect(text(filled?.data, 'ca.crt')).toBe(certificate)
  expect(text(filled?.data, 'namespace')).toBe('default')
  const asRobot = { Authorization: `Bearer ${text(filled?.data, 'token')}` }
  const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const { body } = await server.send('POST', whoami, {}, asRobot)
  expect(body.status).toMatchObject({ userInfo: { username: 'system:serviceaccount:default:robot' } })
  server.clock.advance(10 * 365 * 86_400_000)
  expect((await server.send('POST', whoami, {}, asRobot)).status).toBe(201)
  const untilGone = await follow(secrets, 'robot-token')
  await server.send('DELETE', `${accounts}/robot`)
  expect(await untilGone((secret) => secret === undefined)).toBeUndefined()
  expect((await server.send('POST', whoami, {}, asRobot)).status).toBe(401)
})

test('a bootstrap token authenticates, signs what everyone may read about the cluster, and expires', async () => {
  const maps = '/api/v1/namespaces/kube-public/configmaps'
  const expiration = new Date(server.clock.now() + 60_000).toISOString().replace('.000', '')
  const data = Object.fromEntries(
    Object.entries({
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      expiration,
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
      'auth-extra-groups': 'system:bootstrappers:karmada:default-cluster-token',
    }).map(([name, value]) => [name, base64(value)]),
  )
  const secret = { metadata: { name: 'bootstrap-token-abcdef' }, type: 'bootstrap.kubernetes.io/token', data }
  expect((await server.send('POST', '/api/v1/namespaces/kube-system/secrets', secret)).status).toBe(201)
  const signature = 'jws-kubeconfig-abcdef'
  const dataOf = (map: Seen): Record<string, string> => (map?.data ?? {}) as Record<string, string>
  const until = await follow(maps, 'cluster-info')
  await until((map) => dataOf(map)[signature] !== undefined)
  const response = await fetch(`${server.url}${maps}/cluster-info`)
  const { kubeconfig = '', [signature]: signed = '' } = dataOf((await response.json()) as Record<string, unknown>)
  expect(kubeconfig).toContain(`certificate-authority-data: ${base64(certificate)}`)
  const [header = ''] = signed.split('.')
  const content = `${header}.${Buffer.from(kubeconfig).toString('base64url')}`
  const expected = createHmac('sha256', '0123456789abcdef').update(content).digest('base64url')
  expect(signed).toBe(`${header}..${expected}`)

  const asJoining = { Authorization: 'Bearer abcdef.0123456789abcdef' }
  const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const { body } = await server.send('POST', whoami, {}, asJoining)
  expect(body.status).toMatchObject({
    userInfo: {
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', 'system:bootstrappers:karmada:default-cluster-token', 'system:authenticated'],
    },
  })
  const wrong = { Authorization: 'Bearer abcdef.0123456789abcdee' }
  expect((await server.send('POST', whoami, {}, wrong)).status).toBe(401)
  server.clock.advance(60_000)
  expect((await server.send('POST', whoami, {}, asJoining)).status).toBe(401)
  expect(dataOf(await until((map) => dataOf(map)[signature] === undefined))).not.toHaveProperty(signature)
})
