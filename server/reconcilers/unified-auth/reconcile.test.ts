import { afterEach, beforeEach, expect, test } from 'vitest'
import { cluster as clusterKind, clusterRole, clusterRoleBinding } from '@/lib/kube/kinds'
import { work as workKind } from '@/lib/kube/kinds/work'
import { type Env, startEnv } from '@/server/testing/start-env'
import { unifiedAuthController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.createNamespace('karmada-es-m1')
  await env.run(unifiedAuthController(env.context()))
})
afterEach(() => env.close())

const reach = (name: string, resourceNames: string[]) =>
  env.create(clusterRole, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: [{ verbs: ['*'], apiGroups: ['cluster.karmada.io'], resources: ['clusters/proxy'], resourceNames }],
  })
const bind = (role: string, ...subjects: { kind: string; name: string; namespace?: string }[]) =>
  env.create(clusterRoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: role },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: subjects.map((subject) => ({
      ...subject,
      ...(subject.kind !== 'ServiceAccount' && { apiGroup: 'rbac.authorization.k8s.io' }),
    })),
  })
const manifests = async () =>
  (await env.client.list(workKind)).items.flatMap(({ spec }) => spec.workload?.manifests ?? []) as Record<
    string,
    unknown
  >[]
const rules = async () => (await manifests()).find(({ kind }) => kind === 'ClusterRole')?.rules

test('a member may be reached by users whose roles permit the proxy', async () => {
  await env.createCluster('m1')
  await env.createCluster('m2')
  const impersonatorSecretRef = { namespace: 'karmada-cluster', name: 'm1-impersonator' }
  await env.client.patch(clusterKind, { name: 'm1' }, { type: 'merge', value: { spec: { impersonatorSecretRef } } })
  await reach('reach', ['m1'])
  await reach('other', ['m2'])
  await bind('reach', { kind: 'User', name: 'bob' }, { kind: 'Group', name: 'ops' }, { kind: 'User', name: 'amy' })
  await bind('other', { kind: 'User', name: 'eve' })
  // Administrators reach everything, and bootstrap roles permit agents.
  const agents = 'system:karmada:agent:rbac-generator'
  const impersonate = { verbs: ['impersonate'], apiGroups: [''] }
  await env.eventually(async () =>
    expect(await rules()).toEqual([
      { ...impersonate, resources: ['users'], resourceNames: ['amy', 'bob', agents] },
      { ...impersonate, resources: ['groups'], resourceNames: ['ops', 'system:masters'] },
    ]),
  )
  expect((await manifests()).map(({ kind }) => kind)).toEqual(['ClusterRole', 'ClusterRoleBinding'])
  await env.client.delete(clusterRoleBinding, { name: 'reach' })
  const rest = [
    { ...impersonate, resources: ['users'], resourceNames: [agents] },
    { ...impersonate, resources: ['groups'], resourceNames: ['system:masters'] },
  ]
  await env.eventually(async () => expect(await rules()).toEqual(rest))
})
