import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { FailoverDefaults } from '@/lib/domain/failover'
import { createLogger } from '@/server/telemetry/logger'
import { systemClock } from '@/server/runtime/system-clock'
import { type EmbeddedControlPlane, startEmbedded } from './control-plane'

let dataDir = ''
let plane: EmbeddedControlPlane

async function start(failoverDefaults?: FailoverDefaults): Promise<EmbeddedControlPlane> {
  let uids = 0
  return startEmbedded({
    dataDir,
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    uid: () => `uid-${++uids}`,
    random: Math.random,
    log: createLogger({ level: 'silent' }),
    ...(failoverDefaults && { failoverDefaults }),
  })
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'evenkeel-embedded-'))
  plane = await start()
})
afterAll(async () => {
  await plane.close()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Kubeconfig {
  'current-context': string
  users: { name: string; user: { token: string } }[]
  contexts: { name: string; context: { user: string; namespace?: string } }[]
}

const tokenOf = (user: string): string => kubeconfig().users.find(({ name }) => name === user)?.user.token ?? ''
const kubeconfig = (): Kubeconfig => parse(readFileSync(plane.kubeconfig, 'utf8')) as Kubeconfig

interface Answered {
  status: number
  body: unknown
}

async function send(token: string, method: string, path: string, body?: unknown): Promise<Answered> {
  const response = await fetch(`${plane.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

/** Creates the namespaces, roles and bindings of the demonstration. */
async function seedAccess(): Promise<void> {
  const manifests = parseAllDocuments(readFileSync(new URL('demo.yaml', import.meta.url), 'utf8')).map(
    (document) => document.toJS() as { kind: string; metadata: { namespace?: string } },
  )
  const paths: Record<string, (ns?: string) => string> = {
    Namespace: () => '/api/v1/namespaces',
    ClusterRole: () => '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    ClusterRoleBinding: () => '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    RoleBinding: (ns) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/rolebindings`,
  }
  for (const manifest of manifests) {
    const path = paths[manifest.kind]?.(manifest.metadata.namespace)
    if (path) expect((await send(tokenOf(plane.user), 'POST', path, manifest)).status).toBe(201)
  }
}

test('the kubeconfig has contexts of the administrator and the tenants, and only its owner may read it', () => {
  const { users, contexts, ...rest } = kubeconfig()
  expect(rest['current-context']).toBe('evenkeel')
  expect(contexts.map(({ name, context }) => [name, context.user, context.namespace])).toEqual([
    ['evenkeel', 'admin', undefined],
    ['shop-admin', 'shop-admin', 'shop'],
    ['lab-admin', 'lab-admin', 'lab'],
  ])
  expect(new Set(users.map(({ user }) => user.token)).size).toBe(3)
  const secrets = ['kubeconfig', 'admin-token', 'shop-admin-token', 'service-account-key.pem', 'client-authority.json']
  for (const name of secrets) {
    expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  }
})

test('a tenant of the demonstration manages one namespace, sees the fleet, and nothing of the other tenant', async () => {
  await seedAccess()
  const token = tokenOf('shop-admin')
  const policies = (ns: string): string => `/apis/policy.karmada.io/v1alpha1/namespaces/${ns}/propagationpolicies`
  const statusOf = async (method: string, path: string, body?: unknown): Promise<number> =>
    (await send(token, method, path, body)).status
  expect(await statusOf('GET', policies('shop'))).toBe(200)
  expect(await statusOf('POST', '/api/v1/namespaces/shop/configmaps', { metadata: { name: 'mine' } })).toBe(201)
  expect(await statusOf('GET', '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings')).toBe(200)
  expect(await statusOf('GET', '/apis/cluster.karmada.io/v1alpha1/clusters')).toBe(200)
  const queues = (ns: string): string => `/apis/evenkeel.io/v1alpha1/namespaces/${ns}/queues`
  expect(await statusOf('GET', queues('shop'))).toBe(200)
  const none = { apiVersion: 'evenkeel.io/v1alpha1', kind: 'Queue', metadata: { name: 'none' } }
  expect(await statusOf('PUT', `${queues('shop')}/none`, none)).toBe(404)
  expect(await statusOf('POST', queues('shop'), { metadata: { name: 'mine' } })).toBe(403)
  expect(await statusOf('GET', queues('lab'))).toBe(403)
  expect(await statusOf('GET', policies('lab'))).toBe(403)
  expect(await statusOf('GET', '/api/v1/configmaps')).toBe(403)
  expect(await statusOf('GET', '/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy/api/v1/pods')).toBe(403)
})

test('credentials and tokens of service accounts outlive a restart', async () => {
  const before = kubeconfig().users
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await send(tokenOf(plane.user), 'POST', accounts, { metadata: { name: 'robot' } })
  const { body } = await send(tokenOf(plane.user), 'POST', `${accounts}/robot/token`, { spec: {} })
  const { token } = (body as { status: { token: string } }).status
  await plane.close()
  plane = await start()
  expect(kubeconfig().users).toEqual(before)
  expect((await send(token, 'GET', '/apis')).status).toBe(200)
})

const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies'

/** The toleration that is stored for `decisionConditions`. */
async function storedToleration(name: string, decisionConditions: object): Promise<number> {
  const failover = { application: { decisionConditions, purgeMode: 'Directly' } }
  const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name }]
  const spec = { resourceSelectors, propagateDeps: true, failover }
  const policy = { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy', metadata: { name }, spec }
  const { status, body } = await send(tokenOf(plane.user), 'POST', policies, policy)
  expect(status, JSON.stringify(body)).toBe(201)
  return tolerationOf(body)
}

function tolerationOf(policy: unknown): number {
  const { spec } = policy as {
    spec: { failover: { application: { decisionConditions: { tolerationSeconds: number } } } }
  }
  return spec.failover.application.decisionConditions.tolerationSeconds
}

test('a policy that names no toleration is stored with that of the profile, and keeps it under the other profile', async () => {
  expect(await storedToleration('upstream', {})).toBe(300)
  expect(await storedToleration('upstream-own', { tolerationSeconds: 10 })).toBe(10)
  await plane.close()
  plane = await start('proposal')
  expect(await storedToleration('proposal', {})).toBe(10)
  expect(await storedToleration('proposal-zero', { tolerationSeconds: 0 })).toBe(0)
  expect(await storedToleration('proposal-own', { tolerationSeconds: 300 })).toBe(300)
  expect(tolerationOf((await send(tokenOf(plane.user), 'GET', `${policies}/upstream`)).body)).toBe(300)
  const published = await send(tokenOf(plane.user), 'GET', '/openapi/v3/apis/policy.karmada.io/v1alpha1')
  const defaults = JSON.stringify(published.body).matchAll(/"tolerationSeconds":\{[^{}]*"default":(\d+)/g)
  expect(new Set([...defaults].map(([, seconds]) => seconds))).toEqual(new Set(['10']))
})
