import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { budgetFloor, judge } from './judge'
import { type RehearsalRecord, spansWhere, type WorkloadPoint } from './record'
import type { Assertion } from './scenario'

const web = { kind: 'Deployment', namespace: 'shop', name: 'web' }

type Points = readonly (readonly [atMs: number, ready: number, desired?: number, clusters?: number])[]

const recordOf = (points: Points, budgets: RehearsalRecord['workloads'][number]['budgets'] = []): RehearsalRecord => ({
  durationMs: 1000,
  workloads: [
    {
      workload: web,
      budgets,
      points: points.map(([atMs, ready, desired = 4, clusters = 1]): WorkloadPoint => ({
        atMs,
        ready,
        desired,
        clusters,
      })),
    },
  ],
  clusters: [],
})

const only = (record: RehearsalRecord, assertion: Omit<Assertion, 'name'>) => {
  const { passed, assertions } = judge(record, [{ name: 'it', ...assertion } as Assertion])
  expect(passed).toBe(assertions[0]!.passed)
  return assertions[0]!
}

describe('recovery', () => {
  const within = (time: number) => ({ kind: 'recoverWithin' as const, given: { time } })

  test('in time passes, and later fails with time, duration and extent', () => {
    const record = recordOf([
      [0, 4],
      [100, 1],
      [150, 3],
      [400, 4],
    ])
    expect(only(record, within(300))).toMatchObject({ passed: true, judged: 1 })
    const { evidence } = only(record, within(299))
    expect(evidence).toMatchObject([
      { workload: web, atMs: 100, forMs: 300, message: { code: 'rehearsal.breach.slow', args: { ready: 1 } } },
    ])
  })

  test('that has not happened by the end is not assumed', () => {
    const { evidence } = only(
      recordOf([
        [0, 4],
        [990, 3],
      ]),
      within(300),
    )
    expect(evidence).toMatchObject([{ atMs: 990, forMs: 10, message: { code: 'rehearsal.breach.notRecovered' } }])
  })

  test('does not apply to a workload that never was complete', () => {
    expect(
      only(
        recordOf([
          [0, 0],
          [500, 3],
        ]),
        within(1),
      ),
    ).toMatchObject({ passed: true, judged: 0 })
  })
})

describe('budgets', () => {
  test.each([
    [{ minAvailable: 3 }, 3],
    [{ minAvailable: '50%' }, 2],
    [{ minAvailable: '60%' }, 3],
    [{ maxUnavailable: 1 }, 3],
    [{ maxUnavailable: '25%' }, 3],
    [{ maxUnavailable: 9 }, 0],
    [{}, 4],
  ])('%j of 4 replicas requires %i', (budget, floor) => {
    expect(budgetFloor(budget, { desired: 4, readyBefore: 4 })).toBe(floor)
  })

  test('require no more than was ready before', () => {
    const budgets = [{ name: 'web', minAvailable: 3 }]
    expect(
      only(
        recordOf(
          [
            [0, 2],
            [10, 2, 5],
          ],
          budgets,
        ),
        { kind: 'keepBudgets', given: {} },
      ),
    ).toMatchObject({ passed: true, judged: 1 })
  })

  test('have the worst time of a breach', () => {
    const record = recordOf(
      [
        [0, 4],
        [10, 2],
        [20, 1],
        [30, 2],
        [40, 3],
      ],
      [{ name: 'web', minAvailable: 3 }],
    )
    expect(only(record, { kind: 'keepBudgets', given: {} }).evidence).toMatchObject([
      { atMs: 10, forMs: 30, message: { args: { budget: 'web', ready: 1, floor: 3 } } },
    ])
  })

  test('do not apply to workloads without one', () => {
    expect(only(recordOf([[0, 0]]), { kind: 'keepBudgets', given: {} })).toMatchObject({ passed: true, judged: 0 })
  })
})

test('a minimum of ready replicas applies to the selected workloads only', () => {
  const record = recordOf([
    [0, 4],
    [10, 2],
    [20, 4],
  ])
  const keepReady = (given: object) => only(record, { kind: 'keepReady', given } as never)
  expect(keepReady({ replicas: 3, workloads: ['shop/web'] })).toMatchObject({ passed: false, breaches: 1 })
  expect(keepReady({ replicas: 3, namespaces: ['shop'] }).passed).toBe(false)
  expect(keepReady({ replicas: 3, workloads: ['shop/api'] })).toMatchObject({ passed: true, judged: 0 })
  expect(keepReady({ share: 0.5 }).passed).toBe(true)
  expect(keepReady({ share: 0.51 }).passed).toBe(false)
})

test('a workload that left every cluster was deleted everywhere, one that was never placed was not', () => {
  const assertion = { kind: 'nothingDeletedEverywhere' as const, given: {} }
  expect(
    only(
      recordOf([
        [0, 0, 4, 0],
        [10, 4, 4, 2],
      ]),
      assertion,
    ).passed,
  ).toBe(true)
  expect(
    only(
      recordOf([
        [0, 4],
        [10, 0, 4, 0],
        [20, 4],
      ]),
      assertion,
    ).evidence,
  ).toMatchObject([{ atMs: 10, forMs: 10 }])
  expect(
    only(
      recordOf([
        [0, 4],
        [10, 0, 0, 0],
      ]),
      assertion,
    ).passed,
  ).toBe(true)
})

test('load counts while a cluster responds, by resource', () => {
  const points = [
    { atMs: 0, up: true, cpu: 0.85, memory: 0.1 },
    { atMs: 10, up: true, cpu: 0.9, memory: 0.1 },
    { atMs: 20, up: false, cpu: 0.9, memory: 0.1 },
  ]
  const record = { durationMs: 100, workloads: [], clusters: [{ cluster: 'eu-1', points }] }
  const maxLoad = (given: object) => only(record, { kind: 'maxLoad', given } as never)
  expect(maxLoad({ share: 0.85 }).evidence).toMatchObject([
    { cluster: 'eu-1', atMs: 10, forMs: 10, message: { args: { resource: 'cpu', share: { share: 0.9 } } } },
  ])
  expect(maxLoad({ share: 0.85, clusters: ['eu-2'] })).toMatchObject({ passed: true, judged: 0 })
})

test('spans cover exactly the time in which a condition is true', () => {
  const point = fc.record({ atMs: fc.integer({ min: 0, max: 99 }), on: fc.boolean() })
  const points = fc
    .uniqueArray(point, { selector: ({ atMs }) => atMs })
    .map((all) => all.toSorted((a, b) => a.atMs - b.atMs))
  fc.assert(
    fc.property(points, (all) => {
      const spans = spansWhere(all, 100, ({ on }) => on)
      for (let at = 0; at < 100; at += 1) {
        const holds = all.findLast(({ atMs }) => atMs <= at)?.on ?? false
        expect(spans.some(({ fromMs, toMs }) => fromMs <= at && at < toMs)).toBe(holds)
      }
      for (const [index, { fromMs }] of spans.entries())
        if (index > 0) expect(fromMs).toBeGreaterThan(spans[index - 1]!.toMs)
    }),
  )
})
