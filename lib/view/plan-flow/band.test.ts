import { describe, expect, test } from 'vitest'
import fc from '@/lib/testing/properties'
import type { PlanRunView, PlanStage } from '../rebalance-model'
import { type BandFacts, bandOf, durationsOf, type WaveDurations } from './band'

const START = Date.parse('2026-11-21T09:00:00.000Z')
const at = (seconds: number): number => START + seconds * 1000
const iso = (seconds: number): string => new Date(at(seconds)).toISOString()
const places = (replicas: number) => [{ cluster: 'b', replicas }]

interface Planned {
  wave?: number | undefined
  had?: number
  wanted?: number
  floor?: number
  expected?: number
}

const target = (index: number, { wave, wanted = 4, floor = 3, expected = 4 }: Planned) => ({
  id: `w${index}`,
  stage: (wave === undefined ? 'Pending' : 'Done') satisfies PlanStage,
  wave,
  moved: 2,
  predicted: places(wanted),
  ready: { floor, expected },
})

interface Situation {
  workloads: Planned[]
  /** Begin and end of the waves that have begun, in seconds. */
  waves: [from: number, to: number | undefined][]
  now: number
  durations?: WaveDurations | undefined
  phase?: PlanRunView['phase']
  perWave?: number
  keepsOld?: boolean
}

function factsOf({ workloads, waves, now, durations, phase = 'Running', perWave = 1, keepsOld = true }: Situation) {
  const initial = new Map(workloads.map(({ had = 4 }, index) => [`w${index}`, had]))
  return {
    ready: {
      before: [...initial.values()].reduce((sum, each) => sum + each, 0),
      initial,
      from: START,
      waves: waves.map(([from, to], index) => ({
        number: index + 1,
        workloads: 1,
        from: at(from),
        to: at(to ?? now),
        isOver: to !== undefined,
      })),
    },
    plan: {
      targets: workloads.map((each, index) => target(index, each)) as PlanRunView['targets'],
      schedule: { workloads: perWave, pauseMs: 5000, keepsOld },
      phase,
    },
    durations,
    now: at(now),
  } satisfies BandFacts
}

const took: WaveDurations = { measured: 3, fast: 8000, typical: 10_000, slow: 20_000 }
const seconds = ({ earliest, typical, latest }: { earliest: number; typical: number; latest: number }) =>
  [earliest, typical, latest].map((time) => (time - START) / 1000)

describe('the durations of waves', () => {
  const planOf = (...ends: (number | undefined)[]) =>
    ({
      waves: ends.map((end, index) => ({
        number: index + 1,
        workloads: 1,
        replicasMoved: 1,
        startedAt: iso(0),
        ...(end !== undefined && { finishedAt: iso(end) }),
      })),
    }) as PlanRunView

  test('are those of all waves that are over, to the second', () => {
    expect(durationsOf([planOf(10, 30), planOf(0, undefined)])).toEqual({
      measured: 3,
      fast: 0,
      typical: 10_000,
      slow: 31_000,
    })
    expect(durationsOf([planOf(undefined)])).toBeUndefined()
  })
})

describe('the band of a plan', () => {
  test('goes on from the wave that runs, as fast and as slow as waves were', () => {
    const { waves, untimed } = bandOf(
      factsOf({ workloads: [{ wave: 1 }, {}, {}], waves: [[0, undefined]], now: 2, durations: took }),
    )
    expect(waves.map(({ from, to }) => [seconds(from), seconds(to)])).toEqual([
      [
        [0, 0, 0],
        [8, 10, 20],
      ],
      [
        [13, 15, 25],
        [21, 25, 45],
      ],
      [
        [26, 30, 50],
        [34, 40, 70],
      ],
    ])
    expect(waves[1]).toMatchObject({ number: 2, isUpcoming: true, predicted: 12, least: 11, most: 14 })
    expect(untimed).toBeUndefined()
  })

  test('keeps replicas gained by a wave, and those lost for good', () => {
    const { limits } = bandOf(
      factsOf({
        workloads: [
          { wave: 1, had: 2 },
          { wave: 2, wanted: 1, floor: 1, expected: 1 },
        ],
        waves: [
          [0, 10],
          [15, 25],
        ],
        now: 30,
        keepsOld: false,
      }),
    )
    expect([5, 12, 20, 40].map((time) => limits.at(at(time)))).toEqual([
      { least: 6, most: 8 },
      { least: 6, most: 8 },
      { least: 3, most: 8 },
      { least: 3, most: 8 },
    ])
  })

  test('has no times without a basis', () => {
    const situation: Situation = { workloads: [{ wave: 1 }, {}], waves: [[0, 10]], now: 12, durations: took }
    const why = (change: Partial<Situation>) => bandOf(factsOf({ ...situation, ...change }))
    expect(why({ durations: undefined })).toMatchObject({ untimed: 'unmeasured', waves: [{ number: 1 }] })
    expect(why({ phase: 'Paused' })).toMatchObject({ untimed: 'notRunning', waves: [{ number: 1 }] })
    expect(why({ waves: [[0, undefined]], now: 21 })).toMatchObject({ untimed: 'overdue', waves: [{ number: 1 }] })
  })

  test('before the approval begins with it, and draws waves in their order where none was measured', () => {
    const waiting: Situation = { workloads: [{ expected: 3 }, {}], waves: [], now: 0, phase: 'AwaitingApproval' }
    const spans = (durations: WaveDurations | undefined) => {
      const { waves, untimed } = bandOf(factsOf({ ...waiting, durations }))
      return { untimed, waves: waves.map(({ from, to, predicted }) => [seconds(from), seconds(to), predicted]) }
    }
    expect(spans(took)).toEqual({
      untimed: undefined,
      waves: [
        [[0, 0, 0], [8, 10, 20], 7],
        [[13, 15, 25], [21, 25, 45], 8],
      ],
    })
    expect(spans(undefined)).toEqual({
      untimed: 'inOrder',
      waves: [
        [[0, 0, 0], [1, 1, 1], 7],
        [[1, 1, 1], [2, 2, 2], 8],
      ],
    })
  })

  test('encloses the predicted line, is never negative, and never exceeds the desired replicas of the plan', () => {
    const planned = fc
      .record({ had: fc.nat(9), wanted: fc.nat(9), below: fc.nat(9), dip: fc.nat(9) })
      .map(({ had, wanted, below, dip }) => ({
        had,
        wanted,
        floor: Math.max(0, had - below),
        expected: Math.max(0, had - dip),
      }))
    const situations = fc.record({
      begun: fc.array(fc.record({ planned, pause: fc.nat(9), length: fc.nat(30) }), { maxLength: 4 }),
      pending: fc.array(planned, { maxLength: 5 }),
      isOver: fc.boolean(),
      since: fc.nat(30),
      took: fc.option(
        fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((spread) => spread.toSorted((a, b) => a - b)),
        { nil: undefined },
      ),
      perWave: fc.integer({ min: 1, max: 3 }),
      keepsOld: fc.boolean(),
    })
    fc.assert(
      fc.property(situations, ({ begun, pending, isOver, since, took: spread, perWave, keepsOld }) => {
        let clock = 0
        const waves = begun.map(({ pause, length }, index): [number, number | undefined] => {
          const from = clock + pause
          clock = from + length
          return [from, index < begun.length - 1 || isOver ? clock : undefined]
        })
        const workloads: Planned[] = [...begun.map((each, index) => ({ ...each.planned, wave: index + 1 })), ...pending]
        const durations = spread && {
          measured: 3,
          fast: spread[0]! * 1000,
          typical: spread[1]! * 1000,
          slow: spread[2]! * 1000,
        }
        const facts = factsOf({ workloads, waves, now: clock + since, durations, perWave, keepsOld })
        const band = bandOf(facts)
        const wanted = workloads.reduce((sum, { had = 0, wanted: after = 0 }) => sum + Math.max(had, after), 0)
        for (const limits of band.limits.values) {
          expect(limits.least).toBeGreaterThanOrEqual(0)
          expect(limits.most).toBeLessThanOrEqual(wanted + (keepsOld ? 2 * Math.max(perWave, 1) : 0))
          expect(limits.least).toBeLessThanOrEqual(limits.most)
        }
        for (const { from, to, predicted } of band.waves) {
          for (const span of [from, to]) expect(seconds(span)).toEqual(seconds(span).toSorted((a, b) => a - b))
          const last = Math.max(from.typical, to.typical - 1)
          for (const time of to.typical > from.typical ? [from.typical, last] : []) {
            const { least, most } = band.limits.at(time)!
            expect([least <= predicted, predicted <= most]).toEqual([true, true])
          }
        }
      }),
    )
  })
})
