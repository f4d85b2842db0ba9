import { describe, expect, test } from 'vitest'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { aBinding } from '../placement/testing/scheduled'
import { firstPace, nextPace, type Pace } from './run'
import { Fleet } from './testing/fleet'

const refOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name })
const names = ['a', 'b', 'c', 'd', 'e']

function fleetWith(pace: number, size: number, room = 60): Fleet {
  const fleet = new Fleet({ rooms: { member1: room, member2: room }, pace })
  for (const name of names) fleet.place(aBinding(name, { member2: 4 }, { placement: byAvailableReplicas() }))
  fleet.plan('plan', { workloads: names.map(refOf), autoApprove: true, waves: { size } })
  return fleet
}

const statusOf = (fleet: Fleet) => fleet.plans.get('plan')!.status
const stagesOf = (fleet: Fleet): string[] => (statusOf(fleet).workloads ?? []).map(({ stage }) => stage)

describe('the workloads of a wave', () => {
  test('are triggered at the pace of the scheduler, and the wave ends with the last of them', () => {
    const fleet = fleetWith(2, 5)
    fleet.turn()
    fleet.turn()
    expect(stagesOf(fleet)).toEqual(['Triggered', 'Triggered', 'Pending', 'Pending', 'Pending'])
    expect(statusOf(fleet).waves).toMatchObject([{ number: 1, workloads: 5 }])
    fleet.turn()
    expect(stagesOf(fleet)).toEqual(['Applied', 'Applied', 'Triggered', 'Triggered', 'Pending'])
    fleet.run()
    expect(statusOf(fleet)).toMatchObject({ phase: 'Completed', counts: { done: 5 }, prediction: { error: 0 } })
    expect(statusOf(fleet).waves).toMatchObject([{ number: 1, workloads: 5, replicasMoved: 10 }])
  })

  test('are predicted when they are triggered', () => {
    const fleet = fleetWith(1, 5)
    fleet.turn()
    fleet.turn()
    fleet.place(aBinding('big', { member1: 40 }))
    fleet.run()
    const [first, ...later] = statusOf(fleet).workloads ?? []
    expect([first?.renewed, first?.predictionError]).toEqual([undefined, 1])
    expect(later.map(({ renewed, predictionError }) => [renewed, predictionError])).toEqual(later.map(() => [true, 0]))
  })

  test('that no longer move when their turn comes do not keep the plan waiting', () => {
    const fleet = fleetWith(2, 4)
    fleet.turn()
    fleet.turn()
    for (const name of ['c', 'd']) fleet.edit(name, { suspension: { scheduling: true } })
    fleet.run()
    expect(stagesOf(fleet)).toEqual(['Done', 'Done', 'Skipped', 'Skipped', 'Done'])
    expect(statusOf(fleet)).toMatchObject({ phase: 'Completed', waves: [{ workloads: 2 }, { workloads: 1 }] })
  })

  test('that were not triggered before a pause belong to a later wave', () => {
    const fleet = fleetWith(2, 5)
    fleet.turn()
    fleet.turn()
    fleet.change('plan', { paused: true })
    fleet.run()
    expect(stagesOf(fleet)).toEqual(['Done', 'Done', 'Pending', 'Pending', 'Pending'])
    expect(statusOf(fleet).waves).toMatchObject([{ number: 1, workloads: 2, replicasMoved: 4 }])
    expect(statusOf(fleet).waves?.[0]?.finishedAt).toBeDefined()
    fleet.change('plan', { paused: false })
    fleet.run()
    expect(statusOf(fleet).waves?.map(({ workloads }) => workloads)).toEqual([2, 3])
  })

  test('are marked where earlier moves, which clusters report later, may change the result', () => {
    const fleet = fleetWith(Infinity, 5, 21)
    fleet.turn()
    fleet.turn()
    const marked = (statusOf(fleet).workloads ?? []).map(({ uncertain }) => uncertain?.reason)
    expect(marked[0]).toBeUndefined()
    expect(marked.filter((reason) => reason === 'OthersMove').length).toBeGreaterThan(0)
  })
})

describe('the pace', () => {
  const observe = (pace: Pace, ...observed: [pending: number, processed: number, now: number][]): number =>
    observed.reduce((last, [pending, processed, now]) => nextPace(last, { pending, processed, now }), pace).limit

  test.each<[string, [number, number, number][], number]>([
    ['is small at first', [], 8],
    [
      'doubles while the scheduler processes all it is given',
      [
        [8, 8, 100],
        [16, 16, 200],
      ],
      32,
    ],
    ['does not grow without use', [[3, 3, 1000]], 8],
    [
      'follows a slow scheduler, so that two seconds are ahead',
      [
        [8, 2, 500],
        [8, 3, 1000],
      ],
      10,
    ],
    ['leaves a very slow one a few', [[8, 0, 1000]], 4],
    ['waits for a whole second before it judges', [[8, 0, 900]], 8],
    [
      'does not count time in which nothing was pending',
      [
        [0, 0, 60_000],
        [8, 6, 61_000],
      ],
      12,
    ],
  ])('%s', (_name, observed, limit) => {
    expect(observe(firstPace(0), ...observed)).toBe(limit)
  })
})
