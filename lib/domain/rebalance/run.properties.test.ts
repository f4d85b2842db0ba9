import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aggregated, byAvailableReplicas, byWeight } from '@/lib/testing/builders'
import { upstreamProfile } from '../placement'
import { aBinding } from '../placement/testing/scheduled'
import { readRunRecord } from './run'
import { Fleet } from './testing/fleet'

const names = ['a', 'b', 'c']
const placements = {
  dynamic: byAvailableReplicas(),
  aggregated: aggregated(),
  static: byWeight({ member1: 1, member2: 2, member3: 3 }),
}
const placed = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6)).filter((counts) => counts.some((count) => count > 0))
const fleets = fc.record({
  workloads: fc.array(fc.record({ placed, placement: fc.constantFrom(...Object.values(placements)) }), {
    minLength: 1,
    maxLength: 3,
  }),
  rooms: fc.tuple(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 20, max: 60 }), fc.integer({ min: 20, max: 60 })),
  warmUp: fc.integer({ min: 1, max: 4 }),
  broken: fc.option(fc.tuple(fc.constantFrom('member1', 'member2', 'member3'), fc.constantFrom(...names)), {
    nil: undefined,
  }),
  size: fc.integer({ min: 1, max: 3 }),
  minReady: fc.constantFrom('100%', '75%', '50%', 1),
  makeBeforeBreak: fc.boolean(),
  upstream: fc.boolean(),
})

/** With replicas and free capacity, in any placement. */
function fleetFor({
  rooms,
  warmUp,
  workloads,
  broken,
  upstream,
}: typeof fleets extends fc.Arbitrary<infer W> ? W : never): Fleet {
  const [member1, member2, member3] = rooms
  const fleet = new Fleet({
    rooms: { member1, member2, member3 },
    warmUp,
    ...(upstream && { profile: upstreamProfile }),
  })
  for (const [index, workload] of workloads.entries()) {
    const clusters = Object.fromEntries(
      workload.placed.flatMap((count, at) => (count > 0 ? [[`member${at + 1}`, count]] : [])),
    )
    fleet.place(aBinding(names[index]!, clusters, { placement: workload.placement }))
  }
  if (broken) fleet.broken.add(broken.join('/'))
  return fleet
}

test('no workload ever has fewer ready replicas than its budget, and a finished one leaves nothing behind', () => {
  fc.assert(
    fc.property(fleets, (given) => {
      const fleet = fleetFor(given)
      const workloads = given.workloads.map((_, index) => ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'default',
        name: names[index]!,
      }))
      const { minReady, makeBeforeBreak, size } = given
      fleet.plan('plan', {
        workloads,
        autoApprove: true,
        minReady,
        makeBeforeBreak,
        waves: { size },
        timeouts: { scheduleSeconds: 4, settleSeconds: 7 },
      })
      fleet.run(120)
      const { status } = fleet.plans.get('plan')!
      for (const { workload, readyFloor = 0, stage } of status.workloads ?? []) {
        expect(fleet.lowest.get(workload.name)).toBeGreaterThanOrEqual(readyFloor)
        expect(stage).not.toBe('Triggered')
      }
      expect(['Completed', 'Held']).toContain(status.phase)
      if (status.counts?.failed) return
      for (const binding of fleet.bindings.values()) {
        expect([binding.spec.gracefulEvictionTasks, binding.spec.suspension]).toEqual([undefined, undefined])
        expect(readRunRecord(binding)?.released ?? 'settled').toBe('settled')
      }
    }),
    { seed: 20260901, numRuns: 120 },
  )
})

test('a decision carried out twice writes nothing the second time', () => {
  const fleet = new Fleet({ rooms: { member1: 40, member2: 40 } })
  fleet.broken.add('member1/a')
  fleet.place(aBinding('a', { member2: 6 }, { placement: placements.dynamic }))
  fleet.plan('plan', {
    workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'a' }],
    autoApprove: true,
  })
  fleet.run()
  expect(fleet.turn()).toBe(false)
  expect(fleet.lines.filter((line) => line.includes('trigger a'))).toHaveLength(1)
})

test('a finished plan does not change with later changes of its workloads', () => {
  const fleet = new Fleet({ rooms: { member1: 40, member2: 40 } })
  fleet.place(aBinding('a', { member2: 6 }, { placement: placements.dynamic }))
  fleet.plan('plan', {
    workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'a' }],
    autoApprove: true,
  })
  fleet.run()
  const { status } = fleet.plans.get('plan')!
  expect(status.phase).toBe('Completed')
  fleet.lose('member1')
  fleet.run()
  expect(fleet.plans.get('plan')!.status).toEqual(status)
})

test('a wave whose status was not written is still listed, also if the plan was paused then', () => {
  const lossOf = fc.array(fc.boolean(), { maxLength: 6 })
  fc.assert(
    fc.property(lossOf, fc.integer({ min: 1, max: 2 }), fc.boolean(), (losses, size, pauses) => {
      const fleet = new Fleet({ rooms: { member1: 60, member2: 60 } })
      for (const name of names) fleet.place(aBinding(name, { member2: 6 }, { placement: placements.dynamic }))
      const workloads = names.map((name) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name }))
      fleet.plan('plan', { workloads, autoApprove: true, waves: { size } })
      const left = [...losses]
      fleet.losesStatus = (status) => {
        const known = fleet.plans.get('plan')!.status.waves?.length ?? 0
        const isLost = (status.waves?.length ?? 0) > known && left.pop() === true
        if (isLost && pauses) fleet.change('plan', { paused: true })
        return isLost
      }
      for (let tries = 0; tries <= losses.length + names.length; tries += 1) {
        fleet.run(60)
        fleet.change('plan', { paused: false })
      }
      const { status } = fleet.plans.get('plan')!
      expect(status.phase).toBe('Completed')
      expect(status.waves?.map(({ number }) => number)).toEqual(status.waves?.map((_, index) => index + 1))
      for (const { number, workloads: count, replicasMoved, finishedAt } of status.waves ?? []) {
        const own = (status.workloads ?? []).filter(({ wave }) => wave === number)
        expect([count, replicasMoved]).toEqual([
          own.length,
          own.reduce((sum, { replicasMoved: moved = 0 }) => sum + moved, 0),
        ])
        expect(finishedAt).toBeDefined()
      }
    }),
    { seed: 20261123, numRuns: 60 },
  )
})
