import { expect, test } from 'vitest'
import { killAgainAndAgain } from './crash'

const ROUNDS = 4

test('a server killed during writes loses no acknowledged write, and watches resume without gap or repetition', async () => {
  const report = await killAgainAndAgain(ROUNDS)
  expect(report).toMatchObject({ rounds: ROUNDS, lostWrites: 0, gaps: 0, repetitions: 0 })
  expect(report.acknowledgedWrites).toBeGreaterThan(0)
  expect(report.eventsOfEachWatch).toBeGreaterThan(0)
}, 120_000)
