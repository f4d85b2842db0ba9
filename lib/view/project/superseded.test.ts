import { describe, expect, test } from 'vitest'
import { isSuperseded } from './superseded'

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`
const created = (second: number) => ({ metadata: { creationTimestamp: at(second) } })
const ended = (second: number, finish: number) => ({ ...created(second), status: { finishTime: at(finish) } })

describe('a rebalance', () => {
  test.each<[string, boolean, ReturnType<typeof created>, number | undefined, number[]]>([
    ['that stamped its creation stands', false, ended(10, 10), 10, []],
    ['without a stamp stands', false, created(10), undefined, []],
    ['before which there was an older stamp stands', false, created(10), 5, []],
    ['that stamped past the last success stands', false, ended(10, 11), 11, []],
    ['that stamped past a success dated ahead stands', false, ended(10, 10), 13, []],
    ['that was carried out late, after another scheduling, stands', false, ended(10, 40), 41, []],
    ['that is not finished stands', false, created(10), 30, []],
    ['gives way to a younger one that stamped its creation', true, ended(10, 10), 12, [12]],
    ['gives way to a younger one that stamped past the last success', true, ended(10, 10), 14, [12]],
    ['stands while a younger one has not stamped yet', false, ended(10, 10), 11, [12]],
    ['stands beside an older one', false, ended(10, 10), 11, [8]],
    ['stands beside one of the same second', false, ended(10, 10), 11, [10]],
    ['gives way to a stamp by hand', true, ended(10, 10), 30, []],
    ['gives way to a younger one that is gone already', true, ended(10, 11), 20, []],
  ])('%s', (_name, superseded, rebalancer, stamp, others) => {
    const triggeredAt = stamp === undefined ? undefined : at(stamp)
    expect(isSuperseded({ rebalancer, triggeredAt, naming: [rebalancer, ...others.map(created)] })).toBe(superseded)
  })
})
