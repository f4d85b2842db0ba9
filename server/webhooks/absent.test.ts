/** When the webhook does not respond, the failure policy decides. */
import { afterEach, expect, test } from 'vitest'
import { BYPASSED_ANNOTATION } from '@/lib/domain/queue'
import { KubeError } from '@/lib/kube/errors'
import { mutatingWebhookConfiguration, resourceBinding } from '@/lib/kube/kinds'
import { queue } from '@/lib/kube/kinds/queue'
import { aBinding } from '@/lib/testing/builders'
import { queueController } from '@/server/reconcilers/queue'
import { type Env, startEnv } from '@/server/testing/start-env'
import { aQueue, startTenants } from './testing/tenants'

let env: Env
afterEach(() => env.close())

/** A queue whose webhook was registered and is gone. */
async function withoutWebhook(failurePolicy: 'Fail' | 'Ignore'): Promise<void> {
  env = await startEnv()
  const { webhooks } = await startTenants(env, { failurePolicy })
  await env.client.create(queue, aQueue('line'))
  await env.eventually(async () => {
    const { webhooks: told = [] } = await env.client.get(mutatingWebhookConfiguration, { name: 'evenkeel-queues' })
    expect(told.map(({ name }) => name)).toContain('suspend.queue.evenkeel.io')
  })
  await webhooks.close()
}

const bind = (namespace: string) => env.client.create(resourceBinding, aBinding('web', { namespace }))

test('with Fail nothing is created past the queue, and namespaces without one go on', async () => {
  await withoutWebhook('Fail')
  const refused: unknown = await bind('shop').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(KubeError)
  expect((refused as KubeError).message).toMatch(
    /failed calling webhook "suspend\.queue\.evenkeel\.io": failed to call webhook: Post "https:\/\/127\.0\.0\.1:\d+\/bindings\/mutate\?timeout=3s"/,
  )
  expect((await bind('lab')).spec.suspension).toBeUndefined()
})

test('with Ignore it is created and not suspended; the loop catches what slipped through, counts it and says so', async () => {
  await withoutWebhook('Ignore')
  await env.client.patch(
    queue,
    { namespace: 'shop', name: 'line' },
    { type: 'merge', value: { spec: { quota: { hard: { cpu: '0' } } } } },
  )
  expect((await bind('shop')).spec.suspension).toBeUndefined()
  await env.run(queueController(env.context()))
  await env.eventually(async () => {
    const { spec, metadata } = await env.client.get(resourceBinding, { namespace: 'shop', name: 'web-deployment' })
    expect(spec.suspension).toEqual({ scheduling: true })
    expect(metadata.annotations).toHaveProperty([BYPASSED_ANNOTATION])
    expect((await env.client.get(queue, { namespace: 'shop', name: 'line' })).status?.slippedThrough).toBe(1)
  })
  expect((await env.recordedEvents()).map(({ reason, type }) => `${type} ${reason}`)).toContain(
    'Warning SlippedThrough',
  )
})
