import { afterEach, beforeEach, expect, test } from 'vitest'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { aggregated, byWeight } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { workloadRebalancerController } from '../workload-rebalancer'
import { schedulerController } from '.'
import { scheduledOf, schedulingIn, still } from './testing/scheduling'

let env: Env
let words: ReturnType<typeof schedulingIn>
beforeEach(async () => {
  env = await startEnv()
  words = schedulingIn(env)
})
afterEach(() => env.close())

const rebalance = (name: string, targets: string[]) =>
  env.client.create(workloadRebalancer, {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: {
      workloads: targets.map((target) => ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'default',
        name: target,
      })),
    },
  })

test('a rebalance in the same second as the last scheduling is not lost, nor is the next one', async () => {
  for (const name of ['member1', 'member2']) await env.createCluster(name, { cpu: '3' })
  await env.run(schedulerController(env.context()), workloadRebalancerController(env.context()))
  await words.bind('web', { replicas: 6, cpu: '1', placement: aggregated() })
  await words.becomes('web', { member1: 3, member2: 3 })
  await words.reports('member1', { resourceSummary: { allocatable: { cpu: '16', memory: '256Gi', pods: '1000' } } })
  await words.hasLooked()
  const scheduledAt = (time: string) =>
    env.eventually(async () => expect((await words.read('web')).status?.lastScheduledTime).toBe(time))
  await rebalance('first', ['web'])
  await scheduledAt('2026-01-01T00:00:02Z')
  await words.becomes('web', { member1: 6 })
  await rebalance('second', ['web'])
  await scheduledAt('2026-01-01T00:00:04Z')
  expect(env.clock.now()).toBeGreaterThanOrEqual(Date.parse('2026-01-01T00:00:03Z'))
})

test('500 workloads are rescheduled within seconds', async () => {
  for (const name of ['member1', 'member2', 'member3']) await env.createCluster(name, { cpu: '2000', pods: '100000' })
  const names = Array.from({ length: 500 }, (_, i) => `app-${i}`)
  await env.run(schedulerController(env.context()), workloadRebalancerController(env.context()))
  await Promise.all(
    names.map((name) => words.bind(name, { replicas: 3, placement: byWeight({ member1: 1, member2: 1, member3: 1 }) })),
  )
  const all = async (test: (binding: ResourceBinding) => boolean) =>
    env.eventually(async () => {
      expect((await env.client.list(resourceBinding)).items.filter((binding) => !test(binding))).toHaveLength(0)
    }, still)
  await all((binding) => scheduledOf(binding) === 'True Success: Binding has been scheduled successfully.')
  await env.advance(60_000)
  const began = performance.now()
  await rebalance('all', names)
  await all(({ status }) => status?.lastScheduledTime === '2026-01-01T00:01:01Z')
  const seconds = (performance.now() - began) / 1000
  if (process.env.EVENKEEL_TEST_LOG) process.stderr.write(`500 workloads rescheduled in ${seconds.toFixed(2)} s\n`)
  expect(seconds).toBeLessThan(15)
})
