/** Whole runs, stored as text beside this file, for reading step by step. */
import { describe, expect, test } from 'vitest'
import type { RebalancePlanSpec } from '@/lib/kube/kinds/rebalance-plan'
import { aggregated, byAvailableReplicas, inGroups } from '@/lib/testing/builders'
import { type Binding, upstreamProfile } from '../placement'
import { aBinding } from '../placement/testing/scheduled'
import { Fleet, type FleetOptions } from './testing/fleet'

const ref = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name })
const dynamic = byAvailableReplicas()

/** A workload with a minimum that no step may violate. */
function fleetOf(options: FleetOptions, ...bindings: Binding[]): Fleet {
  const fleet = new Fleet(options)
  for (const binding of bindings) fleet.place(binding)
  return fleet
}

function approved(names: readonly string[], spec: Partial<RebalancePlanSpec> = {}): RebalancePlanSpec {
  return { workloads: names.map(ref), autoApprove: true, ...spec }
}

async function tell(fleet: Fleet, scenario: string, ...plans: string[]): Promise<void> {
  const text = [...fleet.lines, '', ...plans.flatMap((name) => fleet.summary(name)), ''].join('\n')
  await expect(text).toMatchFileSnapshot(`testing/scenarios/${scenario}.txt`)
}

/** Checks the ready replicas at every step, counted in the members rather than as reported by the control plane. */
function expectNeverBelow(fleet: Fleet, floors: Record<string, number>): void {
  for (const [name, floor] of Object.entries(floors)) expect(fleet.lowest.get(name), name).toBeGreaterThanOrEqual(floor)
}

describe('the scenarios of the proposal', () => {
  test('a cluster recovered: replicas return to it, and none is missing on the way', async () => {
    const fleet = fleetOf(
      { rooms: { member1: 20, member2: 20 } },
      aBinding('web', { member2: 6 }, { placement: dynamic }),
    )
    fleet.plan('return', approved(['web']))
    fleet.run()
    await tell(fleet, 'cluster-recovered', 'return')
    expectNeverBelow(fleet, { web: 6 })
    expect(fleet.plans.get('return')?.status).toMatchObject({ phase: 'Completed', prediction: { error: 0 } })
  })

  test('capacity came back: low-priority applications spread again, one wave after the other', async () => {
    const names = ['batch-a', 'batch-b', 'batch-c']
    const fleet = fleetOf(
      { rooms: { member1: 40, member2: 40 } },
      ...names.map((name) => aBinding(name, { member1: 4 }, { placement: dynamic })),
    )
    fleet.plan('spread', approved(names, { waves: { size: 2, soakSeconds: 3 } }))
    fleet.run()
    await tell(fleet, 'capacity-came-back', 'spread')
    expectNeverBelow(fleet, { 'batch-a': 4, 'batch-b': 4, 'batch-c': 4 })
    expect(fleet.plans.get('spread')?.status.waves?.map(({ workloads }) => workloads)).toEqual([2, 1])
  })

  test('one cluster suffices: an aggregated workload gathers', async () => {
    const fleet = fleetOf(
      { rooms: { member1: 20, member2: 30 } },
      aBinding('web', { member1: 2, member2: 4 }, { placement: aggregated() }),
    )
    fleet.plan('gather', approved(['web']))
    fleet.run()
    await tell(fleet, 'one-cluster-suffices', 'gather')
    expectNeverBelow(fleet, { web: 6 })
  })

  test('disaster recovery: all replicas return to the primary, and the backup serves until they are ready', async () => {
    const placement = inGroups({ primary: ['member1'], backup: ['member2'] }, dynamic)
    const binding = aBinding('web', { member2: 5 }, { placement })
    const observed = { ...binding, status: { ...binding.status, schedulerObservingAffinityName: 'backup' } }
    const fleet = fleetOf({ rooms: { member1: 20, member2: 20 }, warmUp: 4 }, observed)
    fleet.plan('fail-back', approved(['web']))
    fleet.run()
    await tell(fleet, 'disaster-recovery', 'fail-back')
    expectNeverBelow(fleet, { web: 5 })
    expect(fleet.bindings.values().next().value?.spec.clusters).toEqual([{ name: 'member1', replicas: 5 }])
  })
})

describe('a scheduler that decides otherwise than predicted', () => {
  /** Runs a plan whose clusters change between the request and the decision, and returns the writes to the workload. */
  function withRooms(
    rooms: Record<string, number>,
    later: Record<string, number>,
    suspension?: Binding['spec']['suspension'],
  ) {
    const { spec: placed, ...rest } = aBinding('web', { member2: 3, member3: 3 }, { placement: dynamic })
    const fleet = fleetOf({ rooms, warmUp: 4 }, { ...rest, spec: { ...placed, ...(suspension && { suspension }) } })
    fleet.plan('spread', approved(['web']))
    while (!fleet.lines.some((line) => line.endsWith('trigger web'))) fleet.turn()
    Object.assign(rooms, later)
    fleet.run()
    const { spec } = [...fleet.bindings.values()][0]!
    const places = (clusters: Binding['spec']['clusters'] = []) =>
      Object.fromEntries(clusters.map(({ name, replicas }) => [name, replicas]))
    const [entry] = fleet.plans.get('spread')?.status.workloads ?? []
    return {
      fleet,
      predicted: places(entry?.predicted),
      actual: places(spec.clusters),
      protection: [spec.gracefulEvictionTasks, spec.suspension],
      writes: fleet.lines.flatMap((line) => /(\w+) web$/.exec(line)?.[1] ?? []),
    }
  }

  test('a cluster that was to keep its replicas loses some: not before the new ones are ready', () => {
    const run = withRooms({ member1: 20, member2: 10, member3: 30 }, { member2: 20, member3: 20 })
    expect(run.predicted).toEqual({ member1: 2, member2: 1, member3: 3 })
    expect(run.actual).toEqual({ member1: 2, member2: 2, member3: 2 })
    expectNeverBelow(run.fleet, { web: 6 })
    expect(run.fleet.plans.get('spread')?.status).toMatchObject({ phase: 'Completed', holds: 0 })
    expect(run.writes).toEqual(['trigger', 'release'])
  })

  test('a cluster that was to keep its replicas gains some: it scales up at once', () => {
    const run = withRooms({ member1: 20, member2: 10, member3: 30 }, { member1: 10, member3: 40 })
    expect(run.actual).toEqual({ member1: 1, member2: 1, member3: 4 })
    expectNeverBelow(run.fleet, { web: 6 })
    expect(run.fleet.plans.get('spread')?.status).toMatchObject({ phase: 'Completed', holds: 0 })
    expect(run.writes).toEqual(['trigger', 'yield', 'release'])
    expect(run.protection).toEqual([undefined, undefined])
  })

  test('a cluster that another client suspended stays suspended', () => {
    const suspension = { dispatchingOnClusters: { clusterNames: ['member3'] } }
    const run = withRooms({ member1: 20, member2: 10, member3: 30 }, {}, suspension)
    expect(run.actual).toEqual({ member1: 2, member2: 1, member3: 3 })
    expect(run.protection).toEqual([undefined, suspension])
  })
})

describe('with a fault', () => {
  const names = ['a', 'b', 'c']
  const three = names.map((name) => aBinding(name, { member2: 4 }, { placement: dynamic }))
  const options = { rooms: { member1: 40, member2: 40 } }
  const oneByOne = { waves: { size: 1 }, timeouts: { settleSeconds: 5, scheduleSeconds: 5 } }

  test('a regression in wave 2 stops the plan, and one action brings everything back', async () => {
    const fleet = fleetOf(options, ...three)
    fleet.broken.add('member1/b')
    fleet.plan('waves', approved(names, oneByOne))
    fleet.run()
    expect(fleet.plans.get('waves')?.status).toMatchObject({ phase: 'Held', holds: 1, wave: 2 })
    fleet.change('waves', { stopped: true })
    fleet.run()
    fleet.plan('undo', { undoOf: 'waves', waves: { size: 2 } })
    fleet.run()
    fleet.change('undo', { base: fleet.plans.get('undo')!.status.base! })
    fleet.run()
    await tell(fleet, 'regression-in-wave-2', 'waves', 'undo')
    expectNeverBelow(fleet, { a: 4, b: 4, c: 4 })
    for (const { spec } of fleet.bindings.values()) {
      expect(spec.clusters).toEqual([{ name: 'member2', replicas: 4 }])
      expect([spec.gracefulEvictionTasks, spec.suspension]).toEqual([undefined, undefined])
    }
  })

  test('a held plan continues when an operator acknowledges the hold', async () => {
    const fleet = fleetOf(options, ...three)
    fleet.broken.add('member1/b')
    fleet.plan('waves', approved(names, oneByOne))
    fleet.run()
    fleet.change('waves', { acknowledgedHolds: 1 })
    fleet.run()
    fleet.broken.delete('member1/b')
    fleet.run()
    await tell(fleet, 'held-then-acknowledged', 'waves')
    expectNeverBelow(fleet, { a: 4, b: 4, c: 4 })
    expect(fleet.plans.get('waves')?.status.counts).toMatchObject({ done: 3, failed: 0 })
  })

  test('a cluster dies in the middle of a wave: no further wave, and old copies stay', async () => {
    const fleet = fleetOf({ ...options, warmUp: 6 }, ...three)
    fleet.plan('waves', approved(names, oneByOne))
    for (let turn = 0; turn < 4; turn += 1) fleet.turn()
    fleet.lose('member1')
    fleet.run()
    await tell(fleet, 'cluster-dies-mid-wave', 'waves')
    expectNeverBelow(fleet, { a: 4, b: 4, c: 4 })
    expect(fleet.plans.get('waves')?.status).toMatchObject({ phase: 'Held', wave: 1 })
  })

  test('protection that another client removes is restored, and the replicas it cost are a fault', async () => {
    const fleet = fleetOf({ ...options, warmUp: 6 }, ...three)
    fleet.plan('waves', approved(names, { waves: { size: 1 } }))
    for (let turn = 0; turn < 4; turn += 1) fleet.turn()
    fleet.edit('a', { suspension: null })
    fleet.run()
    await tell(fleet, 'protection-lost', 'waves')
    expect(fleet.lines.some((line) => line.includes('ProtectionLost'))).toBe(true)
    expect(fleet.plans.get('waves')?.status).toMatchObject({ phase: 'Held', hold: { reason: 'ReadyBelowBudget' } })
    expectNeverBelow(fleet, { b: 4, c: 4 })
  })

  test('a pause between trigger and scheduling is a fault after the stated time, and nothing happens unseen later', async () => {
    const fleet = fleetOf({ ...options, profile: { ...upstreamProfile, holdSuspended: true } }, three[0]!)
    fleet.plan('waves', approved(['a'], oneByOne))
    fleet.turn()
    fleet.turn()
    fleet.edit('a', { suspension: { scheduling: true } })
    fleet.run()
    fleet.edit('a', { suspension: { scheduling: false } })
    fleet.run()
    await tell(fleet, 'paused-after-trigger', 'waves')
    expect(fleet.bindings.values().next().value?.spec.clusters).toEqual([{ name: 'member2', replicas: 4 }])
  })
})

describe('what is refused', () => {
  test.each([
    ['ours', {}],
    ['upstream', { profile: upstreamProfile }],
  ])('a workload that would have no cluster, by the rules of %s', (_name, rules) => {
    const fleet = fleetOf(
      { rooms: { member1: 20 }, ...rules },
      aBinding('web', { member1: 3 }, { placement: byAvailableReplicas('elsewhere') }),
    )
    fleet.plan('never', approved(['web']))
    fleet.run()
    expect(fleet.plans.get('never')?.status.workloads?.[0]).toMatchObject({ stage: 'Skipped', reason: 'FitError' })
    expectNeverBelow(fleet, { web: 3 })
  })

  test('an operator who insists gets upstream what upstream does', () => {
    const options = { rooms: { member1: 20 }, profile: upstreamProfile }
    const fleet = fleetOf(options, aBinding('web', { member1: 3 }, { placement: byAvailableReplicas('elsewhere') }))
    fleet.plan('insist', approved(['web'], { allowFewerReplicas: true, makeBeforeBreak: false, minReady: 0 }))
    fleet.run()
    expect(fleet.readyOf('web')).toBe(0)
  })

  test('a move without make-before-break that the budget does not allow', () => {
    const fleet = fleetOf(
      { rooms: { member1: 20, member2: 20 } },
      aBinding('web', { member2: 6 }, { placement: dynamic }),
    )
    fleet.plan('tight', approved(['web'], { makeBeforeBreak: false, minReady: '80%' }))
    fleet.run()
    expect(fleet.plans.get('tight')?.status.workloads?.[0]).toMatchObject({
      stage: 'Skipped',
      reason: 'BudgetTooTight',
    })
    expectNeverBelow(fleet, { web: 6 })
  })

  test('a preview that does not hold any more is shown again with what is different', () => {
    const fleet = fleetOf(
      { rooms: { member1: 20, member2: 20 } },
      aBinding('web', { member2: 6 }, { placement: dynamic }),
    )
    fleet.plan('asked', { workloads: [ref('web')] })
    fleet.run()
    const { base } = fleet.plans.get('asked')!.status
    fleet.edit('web', { replicas: 8 })
    fleet.change('asked', { base: base! })
    fleet.run()
    const { phase, changes, base: now } = fleet.plans.get('asked')!.status
    expect(phase).toBe('AwaitingApproval')
    expect(changes?.[0]).toMatch('Deployment default/web now has')
    fleet.change('asked', { base: now! })
    fleet.run()
    expect(fleet.plans.get('asked')?.status.phase).toBe('Completed')
  })
})
