import { expect, test } from 'vitest'
import { recoverySecondsLeft, type RecoveryFacts } from './recovery'

const samples = (...recovered: number[]): RecoveryFacts['samples'] =>
  recovered.map((count, at) => ({ at: at * 1000, recovered: count }))

test.each<[string, RecoveryFacts, number | undefined]>([
  ['nothing remains', { remaining: 0, waiting: 0, samples: [] }, 0],
  ['nothing was seen yet', { remaining: 9, waiting: 9, samples: [] }, undefined],
  ['seen for too short a time', { remaining: 9, waiting: 0, samples: samples(0, 5) }, undefined],
  ['nothing recovers', { remaining: 9, waiting: 0, samples: samples(3, 3, 3, 3) }, undefined],
  ['some fell back', { remaining: 9, waiting: 0, samples: samples(5, 4, 3) }, undefined],
  ['two a second', { remaining: 86, waiting: 0, samples: samples(0, 2, 4, 6) }, 43],
  [
    'evictions are slower than what was seen',
    { remaining: 86, waiting: 80, samples: samples(0, 2, 4), evictionsPerSecond: 1 },
    80,
  ],
  ['evictions are faster', { remaining: 86, waiting: 80, samples: samples(0, 2, 4), evictionsPerSecond: 100 }, 43],
  ['evictions stand still', { remaining: 8, waiting: 8, samples: samples(0, 2, 4), evictionsPerSecond: 0 }, 4],
])('seconds left when %s', (_, facts, expected) => {
  expect(recoverySecondsLeft(facts)).toBe(expected)
})
