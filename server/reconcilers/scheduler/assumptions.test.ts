import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding, aggregated } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { schedulerController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.createCluster('member1', { cpu: '4' })
})
afterEach(() => env.close())

const start = (overcommitProtection: boolean) =>
  env.run(schedulerController(env.context(), { profile: { overcommitProtection }, unschedulableRetryMs: 1_000 }))
const refOf = (name: string) => ({ namespace: 'default', name: `${name}-deployment` })
const bind = (name: string) =>
  env.create(resourceBinding, aBinding(name, { replicas: 3, cpu: '1', placement: aggregated('member1') }))
const outcomeOf = async (name: string) =>
  findCondition((await env.client.get(resourceBinding, refOf(name))).status?.conditions, 'Scheduled')?.reason
const becomes = (name: string, reason: string) => env.eventually(async () => expect(await outcomeOf(name)).toBe(reason))
const becomeHealthy = (name: string) => {
  const aggregatedStatus = [{ clusterName: 'member1', applied: true, health: 'Healthy' }]
  const value = { status: { aggregatedStatus } }
  return env.client.patch(resourceBinding, refOf(name), { type: 'merge', value }, { subresource: 'status' })
}

test('what is on its way counts until it is healthy', async () => {
  await start(true)
  await bind('first')
  await becomes('first', 'Success')
  await bind('second')
  await becomes('second', 'Unschedulable')
  await becomeHealthy('first')
  await becomes('second', 'Success')
})

test('what was deleted does not count', async () => {
  await start(true)
  await bind('first')
  await becomes('first', 'Success')
  await env.client.delete(resourceBinding, refOf('first'))
  await bind('second')
  await becomes('second', 'Success')
})

test('what never becomes healthy counts for five minutes', async () => {
  await start(true)
  await bind('first')
  await becomes('first', 'Success')
  await bind('second')
  await becomes('second', 'Unschedulable')
  await env.advance(5 * 60_000)
  await becomes('second', 'Success')
})

test('without the gate only what the cluster reports counts', async () => {
  await start(false)
  await bind('first')
  await becomes('first', 'Success')
  await bind('second')
  await becomes('second', 'Success')
})
