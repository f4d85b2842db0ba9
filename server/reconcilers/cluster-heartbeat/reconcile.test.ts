import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import { cluster as clusterKind, lease as leaseKind } from '@/lib/kube/kinds'
import { formatTime } from '@/lib/std/clock'
import { type Env, startEnv } from '@/server/testing/start-env'
import { clusterHeartbeatController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(clusterHeartbeatController(env.context()))
})
afterEach(() => env.close())

const still = { flowMs: 0 }
const join = (syncMode: 'Pull' | 'Push') =>
  env.client.create(clusterKind, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'm1' },
    spec: { syncMode },
  })
const ready = async () => {
  const { status } = await env.client.get(clusterKind, { name: 'm1' })
  const condition = findCondition(status?.conditions, 'Ready')
  return condition && `${condition.status} ${condition.reason}`
}
const settled = (expected: string | undefined) =>
  env.eventually(async () => expect(await ready()).toBe(expected), still)

/** The agent's own reports. */
async function report(status: 'True' | 'False'): Promise<void> {
  const condition = {
    type: 'Ready',
    status,
    reason: 'Reported',
    message: '',
    lastTransitionTime: formatTime(env.clock.now()),
  }
  await env.client.patch(
    clusterKind,
    { name: 'm1' },
    { type: 'merge', value: { status: { conditions: [condition] } } },
    { subresource: 'status' },
  )
  await env.eventually(
    () =>
      expect(findCondition(env.informers.of(clusterKind).get('m1')?.status?.conditions, 'Ready')?.reason).toBe(
        'Reported',
      ),
    still,
  )
}

async function renew(): Promise<void> {
  const renewTime = new Date(env.clock.now()).toISOString().replace('Z', '000Z')
  const ref = { namespace: 'karmada-cluster', name: 'm1' }
  const known = env.informers.of(leaseKind).get('karmada-cluster/m1')
  if (known) await env.client.patch(leaseKind, ref, { type: 'merge', value: { spec: { renewTime } } })
  else
    await env.client.create(leaseKind, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: ref,
      spec: { holderIdentity: 'm1', leaseDurationSeconds: 40, renewTime },
    })
  await env.eventually(
    () => expect(env.informers.of(leaseKind).get('karmada-cluster/m1')?.spec?.renewTime).toBe(renewTime),
    still,
  )
}

test('a cluster that never reports is Unknown after a minute', async () => {
  await join('Pull')
  await env.eventually(() => expect(env.informers.of(clusterKind).get('m1')).toBeDefined(), still)
  await env.advance(60_000)
  expect(await ready()).toBeUndefined()
  await env.advance(1000)
  await settled('Unknown ClusterStatusNeverUpdated')
})

test('a cluster whose agent stops reporting is Unknown after its grace period, and not before', async () => {
  await join('Pull')
  await report('True')
  for (let beat = 0; beat < 5; beat += 1) {
    await env.advance(30_000)
    await renew()
  }
  expect(await ready()).toBe('True Reported')
  await env.advance(39_000)
  expect(await ready()).toBe('True Reported')
  await env.advance(2000)
  await settled('Unknown ClusterStatusUnknown')
  await report('True')
  await env.advance(30_000)
  expect(await ready()).toBe('True Reported')
})

test('a cluster in Push mode is ignored', async () => {
  await join('Push')
  await report('True')
  await env.advance(600_000)
  expect(await ready()).toBe('True Reported')
})
