/** A control plane with webhooks, two tenants, and a user who may create queues. */
import { clusterRole, roleBinding, validatingWebhookConfiguration } from '@/lib/kube/kinds'
import { queue, type QueueObject, type QueueSpec } from '@/lib/kube/kinds/queue'
import { selfSigned } from '@/server/apiserver'
import type { KubeClient } from '@/server/kube/client'
import { systemClock } from '@/server/runtime/system-clock'
import type { Env } from '@/server/testing/start-env'
import { type ServingPair, startWebhooks, type WebhookOptions, type Webhooks } from '..'

export interface Tenants {
  webhooks: Webhooks
  /** May update queues in `shop`, and write bindings there. */
  tenant: KubeClient
  /** May create queues in `shop` and in `shop-2`. */
  owner: KubeClient
  /** May write bindings in `shop`, and nothing about queues. */
  developer: KubeClient
}

const rules = {
  tenant: [
    { apiGroups: ['evenkeel.io'], resources: ['queues'], verbs: ['get', 'list', 'watch', 'update', 'patch'] },
    { apiGroups: ['work.karmada.io'], resources: ['resourcebindings'], verbs: ['*'] },
  ],
  owner: [{ apiGroups: ['evenkeel.io'], resources: ['queues'], verbs: ['*'] }],
  developer: [{ apiGroups: ['work.karmada.io'], resources: ['resourcebindings'], verbs: ['*'] }],
}

/** Namespaces `shop`, `shop-2` and `lab`, the roles, the webhooks and their registration. */
export async function startTenants(env: Env, options: Partial<WebhookOptions> = {}): Promise<Tenants> {
  for (const name of ['shop', 'shop-2', 'lab']) await env.createNamespace(name)
  for (const [name, given] of Object.entries(rules)) {
    const apiVersion = 'rbac.authorization.k8s.io/v1'
    await env.client.create(clusterRole, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules: given })
    for (const namespace of name === 'owner' ? ['shop', 'shop-2'] : ['shop']) {
      await env.client.create(roleBinding, {
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name, namespace },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
      })
    }
  }
  const webhooks = await startWebhooks(env.context(), {
    host: '127.0.0.1',
    port: 0,
    pair: await webhookPair(),
    ...options,
  })
  await env.run(webhooks.registration)
  await env.eventually(() => env.client.get(validatingWebhookConfiguration, { name: 'evenkeel-queues' }), { flowMs: 0 })
  const as = (user: string): KubeClient => env.client.as({ user, groups: ['system:authenticated'] })
  return { webhooks, tenant: as('tenant'), owner: as('owner'), developer: as('developer') }
}

/** A key and its certificate for this machine: connections are real, so its validity counts real time. */
export function webhookPair(): Promise<ServingPair> {
  return selfSigned({ hosts: ['127.0.0.1'], now: systemClock.now() })
}

/** A queue to create. */
export function aQueue(name: string, spec: Partial<QueueSpec> = {}, namespace = 'shop') {
  return { apiVersion: 'evenkeel.io/v1alpha1', kind: 'Queue', metadata: { name, namespace }, spec } satisfies Omit<
    QueueObject,
    'metadata'
  > & { metadata: object }
}

/** Changes the spec of a queue in `shop`. */
export function changeQueue(client: KubeClient, name: string, spec: object): Promise<QueueObject> {
  return client.patch(queue, { namespace: 'shop', name }, { type: 'merge', value: { spec } })
}
