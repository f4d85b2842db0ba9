import { expect, test } from 'vitest'
import { replayOutage } from './outage-replay'

/** Larger fleets: `npm run bench -- what-if`. */
test.each([
  [1, 'fails'],
  [2, 'fails'],
  [4, 'drained'],
] as const)(
  'a what-if tells what becomes of a generated fleet (seed %i) of which a cluster %s',
  { timeout: 300_000 },
  async (seed, cause) => {
    const replay = await replayOutage({ clusters: 5, workloads: 30, seed, cause })
    const told = JSON.stringify(replay, undefined, 1)
    expect(replay.concerned, told).toBeGreaterThan(10)
    expect(replay.matchedCounts, told).toBe(replay.concerned)
    expect(replay.matchedDestinations / replay.concerned, told).toBeGreaterThanOrEqual(0.95)
    // Predictions without reservation were correct.
    expect(replay.differences.filter(({ open }) => !open)).toEqual([])
  },
)
