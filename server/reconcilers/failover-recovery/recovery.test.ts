/** Recovery of a workload that failed everywhere, once it, its clusters or its block recover. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deployment as deploymentKind, type PropagationSpec, resourceBinding as bindingKind } from '@/lib/kube/kinds'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { type FailingFleet, startFailingFleet } from '@/server/testing/failing-fleet'

let fleet: FailingFleet
beforeEach(async () => {
  fleet = await startFailingFleet()
})
afterEach(() => fleet.close())

type Rule = NonNullable<NonNullable<PropagationSpec['failover']>['application']>
type Placement = NonNullable<PropagationSpec['placement']>

const failover = (rule: Partial<Rule> = {}) => ({
  application: {
    decisionConditions: { tolerationSeconds: 4 },
    purgeMode: 'Gracefully' as const,
    gracePeriodSeconds: 8,
    blockPredecessorSeconds: 20,
    ...rule,
  },
})
const modes: [string, Partial<Rule>][] = [
  ['Gracefully', {}],
  ['Directly', { purgeMode: 'Directly', gracePeriodSeconds: undefined }],
  ['Never', { purgeMode: 'Never', gracePeriodSeconds: undefined }],
]
const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T

const oneOf = (...clusterNames: string[]): Placement => ({
  ...byAvailableReplicas(),
  clusterAffinity: { clusterNames },
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
})
const staticIn = (...clusterNames: string[]): Placement => ({
  clusterAffinity: { clusterNames },
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
})
const groups = (...names: string[]): Placement => ({
  ...byAvailableReplicas(),
  clusterAffinities: names.map((name) => ({ affinityName: `group-${name}`, clusterNames: [name] })),
})
const everywhere = (...clusterNames: string[]): Placement => ({ clusterAffinity: { clusterNames } })

/**
 * The workload is placed as desired, and no trace of a failover is left except old replicas that an operator must
 * release.
 */
async function expectSettled(replicas: number): Promise<void> {
  const { spec, status } = await fleet.binding('web')
  expect(Object.values(await fleet.placed('web')).reduce((sum, one) => sum + one, 0)).toBe(replicas)
  expect((spec.gracefulEvictionTasks ?? []).filter(({ purgeMode }) => purgeMode !== 'Never')).toEqual([])
  for (const { name, replicas: wanted } of spec.clusters ?? []) {
    const copy = await fleet.copy(name, 'web')
    expect([name, copy.spec.replicas, copy.status?.readyReplicas]).toEqual([name, wanted, wanted])
  }
  expect(status?.conditions?.find(({ type }) => type === 'Scheduled')?.status).toBe('True')
}

describe.each(modes)('purged %s', (_mode, mode) => {
  const rule = () => ({ failover: { application: withoutUndefined(failover(mode).application) } })

  test('the only cluster fails for a time: the workload returns when it is healthy again or its block ends', async () => {
    await fleet.join('m4')
    await fleet.run('web', { placement: oneOf('m4'), ...rule() })
    await fleet.setFailing('m4', ['web'])
    await fleet.timeline.pass(12)
    await fleet.setFailing('m4', [])
    await fleet.timeline.pass(30)
    await expectSettled(2)
  })

  test.each([
    ['one cluster of two', oneOf('m4', 'm5')],
    ['weights of two clusters', staticIn('m4', 'm5')],
    ['a group of one cluster each', groups('m4', 'm5')],
  ])('both clusters fail for a time: %s', async (...row) => {
    const [, placement] = row
    await fleet.join('m4', 'm5')
    await fleet.run('web', { placement, ...rule() })
    for (const name of ['m4', 'm5']) await fleet.setFailing(name, ['web'])
    await fleet.timeline.pass(20)
    for (const name of ['m4', 'm5']) await fleet.setFailing(name, [])
    await fleet.timeline.pass(60)
    await expectSettled(2)
  })

  test('a workload that runs everywhere is everywhere again', async () => {
    await fleet.join('m4', 'm5')
    await fleet.run('web', { placement: everywhere('m4', 'm5'), ...rule() })
    for (const name of ['m4', 'm5']) await fleet.setFailing(name, ['web'])
    await fleet.timeline.pass(12)
    for (const name of ['m4', 'm5']) await fleet.setFailing(name, [])
    await fleet.timeline.pass(60)
    await expectSettled(4)
  })

  test('the cluster itself fails while the workload is being moved', async () => {
    await fleet.join('m4', 'm5')
    await fleet.run('web', { placement: oneOf('m4', 'm5'), ...rule() })
    const [home = ''] = Object.keys(await fleet.placed('web'))
    const other = home === 'm4' ? 'm5' : 'm4'
    await fleet.setFailing(home, ['web'])
    await fleet.timeline.pass(6)
    await fleet.setUp(other, false)
    await fleet.timeline.pass(40)
    await fleet.setFailing(home, [])
    await fleet.timeline.pass(200)
    await expectSettled(2)
  })
})

test('it still fails when its block ends: it is tried again and evicted again, and is placed in the end', async () => {
  await fleet.join('m4')
  await fleet.run('web', { placement: oneOf('m4'), failover: failover() })
  await fleet.setFailing('m4', ['web'])
  await fleet.timeline.pass(90)
  await fleet.setFailing('m4', [])
  await fleet.timeline.pass(30)
  await expectSettled(2)
})

test('a cluster that is blocked indefinitely stays excluded, and the reason says so', async () => {
  await fleet.join('m4')
  await fleet.run('web', { placement: oneOf('m4'), failover: failover({ blockPredecessorSeconds: 0 }) })
  await fleet.setFailing('m4', ['web'])
  await fleet.timeline.pass(12)
  await fleet.setFailing('m4', [])
  await fleet.timeline.pass(200)
  const { spec, status } = await fleet.binding('web')
  expect(spec.clusters ?? []).toEqual([])
  expect(status?.conditions?.find(({ type }) => type === 'Scheduled')).toMatchObject({
    status: 'False',
    reason: 'NoClusterFit',
  })
  expect((await fleet.copy('m4', 'web')).status?.readyReplicas).toBe(2)
})

describe('requests during the failure are processed on return', () => {
  beforeEach(async () => {
    await fleet.join('m4')
    await fleet.run('web', { placement: oneOf('m4'), failover: failover() })
    await fleet.setFailing('m4', ['web'])
    await fleet.timeline.pass(6)
    expect(await fleet.placed('web')).toEqual({})
  })

  test('a scale', async () => {
    await fleet.env.client.patch(
      deploymentKind,
      { namespace: 'default', name: 'web' },
      { type: 'merge', value: { spec: { replicas: 5 } } },
    )
    await fleet.timeline.pass(6)
    await fleet.setFailing('m4', [])
    await fleet.timeline.pass(30)
    await expectSettled(5)
  })

  test('a trigger', async () => {
    const rescheduleTriggeredAt = new Date(fleet.env.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
    await fleet.env.client.patch(
      bindingKind,
      { namespace: 'default', name: 'web-deployment' },
      { type: 'merge', value: { spec: { rescheduleTriggeredAt } } },
    )
    await fleet.timeline.pass(6)
    await fleet.setFailing('m4', [])
    await fleet.timeline.pass(30)
    await expectSettled(2)
  })
})
