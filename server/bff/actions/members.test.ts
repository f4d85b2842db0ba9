import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  clusterRoleBinding,
  deployment,
  namespace as namespaceKind,
  pod as podKind,
  roleBinding,
} from '@/lib/kube/kinds'
import type { MemberNodesView, MemberWorkloadView, PodDetailView } from '@/lib/view/member-model'
import { startTestMember, type TestMember } from '@/server/members/testing/start-member'
import { systemClock } from '@/server/runtime/system-clock'
import { call } from '../testing/call'
import { grant, trustingAuthenticator } from '../testing/plane-of-two'
import { startBff } from '../testing/start-bff'

let member: TestMember
let url: string
const WORKLOAD = encodeURIComponent('apps~v1/Deployment/shop/web')

beforeEach(async () => {
  member = await startTestMember()
  const { env, client } = member
  await client.create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
  const requests = { cpu: '500m', memory: '1Gi' }
  await client.create(deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'shop', name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests } }] },
      },
    },
  })
  await env.eventually(async () => {
    const { items } = await client.list(podKind, { namespace: 'shop' })
    expect(items.map(({ status }) => status?.phase)).toEqual(['Running', 'Running'])
  })
  const authenticator = trustingAuthenticator(env)
  ;({ url } = await startBff({ client: env.client, informers: env.informers, clock: systemClock, authenticator }))
})
afterEach(() => member.env.close())

/** Rights in the member are those of its own roles. */
async function mayAllInMember(user: string): Promise<void> {
  await member.client.create(clusterRoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  })
}

const ask = (path: string, user = 'root') => call(`${url}/api/v1/${path}`, { headers: { 'x-test-user': user } })

test('pods, their log and nodes of a member are what its API holds, for users who may read them', async () => {
  await grant(member.env, 'root', [{ resources: ['*'], verbs: ['*'] }])
  await mayAllInMember('root')
  const answer = await ask(`clusters/m1/pods?workload=${WORKLOAD}`)
  expect(answer.status, answer.text).toBe(200)
  const view = answer.json as MemberWorkloadView
  expect(view.object).toMatchObject({ replicas: 2 })
  expect(view.pods.map(({ mark, status }) => [mark, status])).toEqual([
    ['ready', 'Running'],
    ['ready', 'Running'],
  ])
  const [first] = view.pods
  const at = `clusters/m1/pods/shop/${first?.name}`
  const log = await ask(`${at}/log?tailLines=3`)
  expect(log.headers['content-type']).toBe('text/plain; charset=utf-8')
  const own = await member.client.raw('GET', `/api/v1/namespaces/shop/pods/${first?.name}/log?tailLines=3`)
  expect(log.text).toBe(own.body)
  const detail = (await ask(at)).json as PodDetailView
  expect(detail.pod).toEqual(first)
  expect(detail.eventsRefused).toBeUndefined()
  const nodes = (await ask('clusters/m1/nodes')).json as MemberNodesView
  expect(nodes.nodes.reduce((sum, { cpu }) => sum + cpu.requested, 0)).toBe(1000)
  expect(nodes.nodes.flatMap(({ pods }) => pods)).toHaveLength(2)
  expect(nodes.metrics).toBe(true)
  expect(nodes.nodes.every(({ cpu }) => (cpu.used ?? 0) > 0)).toBe(true)
})

test('a tenant with the proxy of that member and a role in their namespace there reads pods of that namespace alone', async () => {
  await grant(member.env, 'tess', [{ resources: ['clusters/proxy'], verbs: ['get'], resourceNames: ['m1'] }])
  await member.client.create(roleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { namespace: 'shop', name: 'tess' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tess' }],
  })
  const answer = await ask(`clusters/m1/pods?workload=${WORKLOAD}`, 'tess')
  expect(answer.status, answer.text).toBe(200)
  expect((answer.json as MemberWorkloadView).pods).toHaveLength(2)
  expect((await ask('clusters/m1/nodes', 'tess')).status).toBe(403)
})

test('a user without rights in the member is refused in the words of its API server', async () => {
  await grant(member.env, 'ann', [{ resources: ['clusters/proxy'], verbs: ['get'] }])
  const { status, json } = await ask(`clusters/m1/pods?workload=${WORKLOAD}`, 'ann')
  expect(status).toBe(403)
  expect((json as { detail: string }).detail).toContain('User "ann" cannot get resource "deployments"')
})
