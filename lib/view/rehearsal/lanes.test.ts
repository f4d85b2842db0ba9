import { expect, test } from 'vitest'
import { rehearsalLanes } from './lanes'

const point = (atMs: number, up: boolean, ready: number, placed: number) => ({ atMs, up, ready, placed })

test('an unreachable cluster has lost its replicas, and comes before clusters that gain replicas and unchanged ones', () => {
  const lanes = rehearsalLanes(
    [
      { cluster: 'calm', points: [point(0, true, 4, 4)] },
      { cluster: 'gains', points: [point(0, true, 1, 1), point(20, true, 1, 5), point(30, true, 5, 5)] },
      { cluster: 'lost', points: [point(0, true, 4, 4), point(10, false, 4, 4), point(60, true, 0, 0)] },
    ],
    100,
  )
  expect(lanes.map(({ steps, ...lane }) => ({ ...lane, values: steps.values }))).toEqual([
    {
      cluster: 'lost',
      first: 4,
      lowest: { ready: 0, atMs: 10 },
      last: 0,
      awayMs: 50,
      changes: true,
      values: [
        { ready: 4, starting: 0, lost: 0 },
        { ready: 0, starting: 0, lost: 4 },
        { ready: 0, starting: 0, lost: 0 },
      ],
    },
    {
      cluster: 'gains',
      first: 1,
      lowest: { ready: 1, atMs: 0 },
      last: 5,
      awayMs: 0,
      changes: true,
      values: [
        { ready: 1, starting: 0, lost: 0 },
        { ready: 1, starting: 4, lost: 0 },
        { ready: 5, starting: 0, lost: 0 },
      ],
    },
    {
      cluster: 'calm',
      first: 4,
      lowest: { ready: 4, atMs: 0 },
      last: 4,
      awayMs: 0,
      changes: false,
      values: [{ ready: 4, starting: 0, lost: 0 }],
    },
  ])
})

test('a cluster that is lost by the first step was ready before it', () => {
  const course = [{ cluster: 'a', points: [point(0, true, 4, 4), point(0, false, 4, 4), point(50, false, 4, 0)] }]
  expect(rehearsalLanes(course, 100)).toMatchObject([{ first: 4, lowest: { ready: 0, atMs: 0 }, last: 0, awayMs: 100 }])
})

test('one still away at the end counts to the end, and one without points is empty', () => {
  const lanes = rehearsalLanes(
    [
      { cluster: 'a', points: [point(0, true, 2, 2), point(40, false, 2, 2)] },
      { cluster: 'b', points: [] },
    ],
    100,
  )
  expect(lanes).toMatchObject([
    { cluster: 'a', awayMs: 60 },
    { cluster: 'b', first: 0, last: 0, lowest: { ready: 0 } },
  ])
})
