import { describe, expect, test } from 'vitest'
import { isSuperseded } from './superseded'

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`
const created = (second: number) => ({ metadata: { creationTimestamp: at(second) } })
const ended = (second: number, finish: number) => ({ ...created(second), status: { finishTime: at(finish) } })

interface Story {
  rebalancer: ReturnType<typeof created>
  stamp?: number
  /** When a plan moved the target. */
  plan?: number
  /** When further rebalancers that name the target were created. */
  others?: number[]
}

describe('a rebalance', () => {
  test.each<[string, boolean, Story]>([
    ['that stamped its creation stands', false, { rebalancer: ended(10, 10), stamp: 10 }],
    ['without a stamp stands', false, { rebalancer: created(10) }],
    ['before which there was an older stamp stands', false, { rebalancer: created(10), stamp: 5 }],
    ['that stamped past the last success stands', false, { rebalancer: ended(10, 11), stamp: 11 }],
    ['that stamped past a success dated ahead stands', false, { rebalancer: ended(10, 10), stamp: 13 }],
    ['that was carried out late, after another scheduling, stands', false, { rebalancer: ended(10, 40), stamp: 41 }],
    ['that is not finished stands', false, { rebalancer: created(10), stamp: 30 }],
    [
      'gives way to a younger one that stamped its creation',
      true,
      { rebalancer: ended(10, 10), stamp: 12, others: [12] },
    ],
    [
      'gives way to a younger one that stamped past the last success',
      true,
      { rebalancer: ended(10, 10), stamp: 14, others: [12] },
    ],
    ['stands while a younger one has not stamped yet', false, { rebalancer: ended(10, 10), stamp: 11, others: [12] }],
    ['stands beside an older one', false, { rebalancer: ended(10, 10), stamp: 11, others: [8] }],
    ['stands beside one of the same second', false, { rebalancer: ended(10, 10), stamp: 11, others: [10] }],
    ['gives way to a plan, however soon that follows', true, { rebalancer: ended(10, 11), stamp: 12, plan: 12 }],
    ['gives way to a plan that removed its stamp', true, { rebalancer: ended(10, 11), plan: 12 }],
    ['stands after a plan that was before it', false, { rebalancer: ended(10, 11), stamp: 11, plan: 9 }],
    ['gives way to a stamp by hand', true, { rebalancer: ended(10, 10), stamp: 30 }],
    ['gives way to a younger one that is gone already', true, { rebalancer: ended(10, 11), stamp: 20 }],
  ])('%s', (_name, superseded, { rebalancer, stamp, plan, others = [] }) => {
    const triggeredAt = stamp === undefined ? undefined : at(stamp)
    const movedByPlanAt = plan === undefined ? undefined : at(plan)
    expect(isSuperseded({ rebalancer, triggeredAt, movedByPlanAt, naming: [rebalancer, ...others.map(created)] })).toBe(
      superseded,
    )
  })
})
