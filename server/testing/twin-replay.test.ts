import { expect, test } from 'vitest'
import { keptShare } from '@/lib/domain/twin'
import { replayInTwin } from './twin-replay'

/** Larger fleets: `npm run bench -- twin`. */
test('a twin of a generated fleet behaves as its original under the same outage', { timeout: 300_000 }, async () => {
  const replay = await replayInTwin({ clusters: 4, workloads: 20, seed: 1 }, 50)
  const told = JSON.stringify(replay, undefined, 1)
  expect(replay.methods).toEqual(['GET'])
  expect(replay.proof.workloads, told).toBe(20)
  expect(keptShare(replay.proof), told).toBe(1)
  expect(replay.differBefore, told).toEqual([])
  expect(replay.concerned, told).toBeGreaterThan(5)
  expect(replay.sameCounts, told).toBe(replay.concerned)
  expect(replay.sameDestinations / replay.concerned, told).toBeGreaterThanOrEqual(0.95)
})
