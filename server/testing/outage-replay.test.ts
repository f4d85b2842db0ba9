import { expect, test } from 'vitest'
import { replayOutage } from './outage-replay'

/** Larger fleets: `npm run bench -- what-if`. */
test.each([[1], [2]])(
  'a what-if tells what the outage of a generated fleet then does (seed %i)',
  { timeout: 300_000 },
  async (seed) => {
    const replay = await replayOutage({ clusters: 5, workloads: 30, seed })
    const told = JSON.stringify(replay, undefined, 1)
    expect(replay.concerned, told).toBeGreaterThan(10)
    expect(replay.matchedCounts, told).toBe(replay.concerned)
    expect(replay.matchedDestinations / replay.concerned, told).toBeGreaterThanOrEqual(0.95)
  },
)
