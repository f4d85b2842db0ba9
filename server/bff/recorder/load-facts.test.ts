import { expect, it } from 'vitest'
import type { LoadFact } from '@/lib/view/journal'
import { isLoadNoted } from './load-facts'

const load = (allocated: number, allocatable = 1000): LoadFact => ({ cpu: { allocatable, allocated } })
const MINUTE = 60_000

it.each<[string, LoadFact | undefined, LoadFact, number, boolean]>([
  ['the first one', undefined, load(1), 0, true],
  ['no change', load(100), load(100), 60 * MINUTE, false],
  ['noise', load(100), load(104), 60 * MINUTE, false],
  ['a small change, soon', load(100), load(120), MINUTE, false],
  ['a small change, later', load(100), load(120), 5 * MINUTE, true],
  ['a large change', load(100), load(300), MINUTE, true],
  ['a large change at once', load(100), load(300), 0, true],
  ['another capacity', load(100), load(100, 2000), MINUTE, true],
])('%s', (...[, before, after, ageMs, noted]) => {
  expect(isLoadNoted(before, after, ageMs)).toBe(noted)
})

it('a cluster whose load changes all the time has at most 289 entries of small changes a day', () => {
  let noted = 0
  let last = 0
  let before: LoadFact | undefined
  for (let at = 0; at <= 24 * 60 * MINUTE; at += 1000) {
    const after = load(500 + ((at / 1000) % 40))
    if (!isLoadNoted(before, after, at - last)) continue
    before = after
    last = at
    noted += 1
  }
  expect(noted).toBeLessThanOrEqual(289)
})
