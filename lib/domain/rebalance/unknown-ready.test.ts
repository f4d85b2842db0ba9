import { describe, expect, test } from 'vitest'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { aBinding } from '../placement/testing/scheduled'
import { Fleet } from './testing/fleet'

const refOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name })
const placement = byAvailableReplicas()

/** `a` moves from member2 to both, then, after a pause, `b` in a second wave. */
function running() {
  const fleet = new Fleet({ rooms: { member1: 40, member2: 40 }, warmUp: 3 })
  for (const name of ['a', 'b']) fleet.place(aBinding(name, { member2: 4 }, { placement }))
  fleet.plan('plan', { workloads: [refOf('a'), refOf('b')], autoApprove: true, waves: { size: 1, soakSeconds: 5 } })
  const status = () => fleet.plans.get('plan')!.status
  const stageOf = (name: string) => status().workloads?.find(({ workload }) => workload.name === name)?.stage
  const until = (reached: () => boolean): void => {
    for (let turn = 0; turn < 100 && !reached(); turn += 1) fleet.turn()
    expect(reached()).toBe(true)
  }
  const turns = (count: number): void => {
    for (let turn = 0; turn < count; turn += 1) fleet.turn()
  }
  return { fleet, status, stageOf, until, turns }
}

describe.each([['missing'], ['notApplied']] as const)('a cluster whose status is %s', (how) => {
  test.each([
    ['that gained replicas, after the old ones were released', 'member1', 'Healthy'],
    ['that loses replicas, while they are protected', 'member2', 'Applied'],
    ['of a workload that is done', 'member1', 'Done'],
  ])('%s, does not hold the plan', (_name, cluster, stage) => {
    const { fleet, status, stageOf, until, turns } = running()
    until(() => stageOf('a') === stage)
    fleet.silent.set(`${cluster}/a`, how)
    turns(20)
    expect(status()).toMatchObject({ phase: 'Running', holds: 0 })
    expect(stageOf('b')).toBe('Pending')
    fleet.silent.clear()
    fleet.run()
    expect(status()).toMatchObject({ phase: 'Completed', counts: { done: 2 } })
    expect(status().workloads?.map(({ readyLowest }) => readyLowest)).toEqual([4, 4])
  })

  test('holds it after a minute, without a number of ready replicas', () => {
    const { fleet, status, stageOf, until } = running()
    until(() => stageOf('a') === 'Healthy')
    fleet.silent.set('member1/a', how)
    const from = fleet.now
    until(() => status().phase === 'Held')
    expect(fleet.now - from).toBeGreaterThanOrEqual(60_000)
    expect(status().hold).toMatchObject({ reason: 'ReadyUnknownTooLong' })
    expect(status().hold?.message).toMatch(/^Deployment default\/a: Not known for 1 m whether 4 replicas are ready/)
    fleet.change('plan', { acknowledgedHolds: 1 })
    fleet.run(20)
    expect(status().holds).toBe(1)
  })

  test('does not hide a loss in another cluster', () => {
    const { fleet, status, stageOf, until, turns } = running()
    until(() => stageOf('a') === 'Healthy')
    fleet.silent.set('member1/a', how)
    turns(2)
    expect(status().phase).toBe('Running')
    fleet.broken.add('member2/a')
    fleet.crash('member2', 'a')
    turns(1)
    expect(status()).toMatchObject({ phase: 'Held', hold: { reason: 'ReadyBelowBudget' } })
    expect(status().hold?.message).toBe('Deployment default/a: At most 3 replicas are ready. The plan requires 4.')
  })
})

test('a loss that is reported holds the plan at once', () => {
  const { fleet, status, stageOf, until, turns } = running()
  until(() => stageOf('a') === 'Done')
  fleet.crash('member2', 'a')
  turns(1)
  expect(status().hold?.message).toBe('Deployment default/a: Only 3 replicas are ready. The plan requires 4.')
})

test('a cluster that stops answering has no ready replicas', () => {
  const { fleet, status, stageOf, until, turns } = running()
  until(() => stageOf('a') === 'Done')
  fleet.lose('member1')
  turns(1)
  expect(status().hold?.message).toBe('Deployment default/a: Only 2 replicas are ready. The plan requires 4.')
})
