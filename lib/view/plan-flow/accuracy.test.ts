import { describe, expect, test } from 'vitest'
import { accuracyOf } from '../../domain/rebalance/compare'
import { accuracyOfPlans, totalAccuracy } from './accuracy'

const finished = (name: string, finishedAt: string, ...errors: (number | undefined)[]) => ({
  name,
  finishedAt,
  accuracy: accuracyOf(errors.map((predictionError) => ({ predictionError }))),
})

describe('the accuracy of predictions', () => {
  const plans = accuracyOfPlans([
    finished('first', '2026-11-21T09:00:00Z', 0, 0, 2),
    { name: 'runs' },
    finished('moved-nothing', '2026-11-21T09:01:00Z', undefined),
    finished('second', '2026-11-21T10:00:00Z', 0, undefined),
  ])
  test('is of finished plans that moved a workload, the latest first', () => {
    expect(plans).toEqual([
      { plan: 'second', finishedAt: '2026-11-21T10:00:00Z', exact: 1, missed: 0, misplaced: 0 },
      { plan: 'first', finishedAt: '2026-11-21T09:00:00Z', exact: 2, missed: 1, misplaced: 2 },
    ])
  })
  test('of deleted plans is kept, and each plan counts once', () => {
    const present = [finished('second', '2026-11-21T10:00:00Z', 0)]
    expect(accuracyOfPlans(present, plans).map(({ plan, exact }) => [plan, exact])).toEqual([
      ['second', 1],
      ['first', 2],
    ])
  })
  test('sums up to that of all plans', () => {
    expect(totalAccuracy(plans)).toEqual({ exact: 3, missed: 1, misplaced: 2 })
  })
})
