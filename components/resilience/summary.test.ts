import { describe, expect, it } from 'vitest'
import { english } from '@/lib/messages/english'
import type { LossesView, LossView } from '@/lib/view/rebalance-model'
import { scoreOf } from '@/lib/view/loss-score'
import { clustersInPairs, headlineOf, losingAt, worstCases } from './summary'

const lossOf = (clusters: string[], losing: number, more: Partial<LossView> = {}): LossView => ({
  clusters,
  workloads: 10,
  moved: 10 - losing,
  losing,
  down: losing,
  waiting: 0,
  needed: 20,
  placed: 20 - losing,
  names: [],
  ...more,
})

function kind(each: LossView[]): LossesView['cluster'] {
  return {
    losses: each.length,
    survived: each.filter(({ losing }) => losing === 0).length,
    needed: each.reduce((sum, { needed }) => sum + needed, 0),
    placed: each.reduce((sum, { placed }) => sum + placed, 0),
    each,
  }
}

const NAMES = ['a', 'b', 'c']

/** `pairs`: workloads that lose replicas with b and a, c and a, c and b. */
function lossesOf(single: number[], region: number[] = [], pairs?: number[]): LossesView {
  const worst = (pairs ?? []).map((losing, at) =>
    lossOf(
      [
        ['b', 'a'],
        ['c', 'a'],
        ['c', 'b'],
      ][at]!,
      losing,
    ),
  )
  const { each: _, ...sums } = kind(worst)
  return {
    clusters: NAMES.map((name) => ({ name })),
    unready: 0,
    spanning: 0,
    computedAt: '2026-01-01T00:00:00Z',
    tookMs: 10,
    cluster: kind(single.map((losing, at) => lossOf([NAMES[at]!], losing))),
    region: kind(region.map((losing, at) => lossOf(NAMES.slice(0, 3 - at), losing, { place: `r${at}` }))),
    zone: kind([]),
    ...(pairs && { pairs: { ...sums, tookMs: 10, losing: pairs, worst } }),
    withoutFailoverPolicy: 0,
    pairsTotal: 3,
  }
}

const said = (losses: LossesView) => ({
  state: headlineOf(losses).state,
  sentence: english.of(headlineOf(losses).sentence),
})

describe('the headline', () => {
  it.each([
    [lossesOf([0, 0, 0], [0], [0, 0, 0]), 'ok', 'Every single failure is survivable'],
    [lossesOf([0, 0, 0], [0]), 'ok', 'Every single failure is survivable'],
    [lossesOf([0, 0, 0], [0], [0, 2, 1]), 'warn', 'Every single failure is survivable, 2 pairs of clusters are not'],
    [
      lossesOf([0, 1, 0], [4, 0], [1, 0, 1]),
      'fail',
      'Not every single failure is survivable: 1 cluster, 1 region and 2 pairs',
    ],
  ])('of %# says which kinds of failure cost something', (losses, state, sentence) => {
    expect(said(losses)).toEqual({ state, sentence })
  })

  it('shows no result before all single losses are computed, or if nothing runs', () => {
    const { computedAt: _at, tookMs: _took, ...nothing } = lossesOf([])
    expect(said(nothing).state).toBe('unknown')
    expect(said({ ...nothing, computedAt: 'x', progress: { done: 1, total: 4, pairs: false } })).toEqual({
      state: 'active',
      sentence: 'Simulating losses: 1 of 4',
    })
    const idle = kind([lossOf(['a'], 0, { workloads: 0, needed: 0, placed: 0 })])
    expect(said({ ...lossesOf([]), cluster: idle }).state).toBe('unknown')
  })
})

describe('the score', () => {
  it('is the average share of placed replicas over clusters, regions and pairs, rounded down', () => {
    // 59 of 60, 18 of 20 and 57 of 60 replicas.
    expect(scoreOf(lossesOf([0, 1, 0], [2], [1, 1, 1]))).toBe(94)
    expect(scoreOf(lossesOf([0, 0, 0], [], [0, 0, 0]))).toBe(100)
  })

  it('is unknown without pairs', () => {
    expect(scoreOf(lossesOf([0, 0, 0]))).toBeUndefined()
  })
})

it('lists what costs most first, of all kinds', () => {
  const cases = worstCases(lossesOf([0, 1, 0], [4], [2, 0, 3]))
  expect(cases.map((one) => [one.kind, one.loss.losing])).toEqual([
    ['region', 4],
    ['pair', 3],
    ['pair', 2],
    ['cluster', 1],
  ])
})

it('finds a pair in both orders, and a cluster alone on the diagonal', () => {
  const losses = lossesOf([7, 8, 9], [], [1, 2, 3])
  expect([losingAt(losses, 1, 0), losingAt(losses, 2, 0), losingAt(losses, 1, 2)]).toEqual([1, 2, 3])
  expect(losingAt(losses, 2, 2)).toBe(9)
  expect(losingAt(lossesOf([7, 8, 9]), 1, 0)).toBeUndefined()
})

it('names the clusters that most losing pairs have in common', () => {
  expect(clustersInPairs(lossesOf([0, 0, 0], [], [0, 1, 1]), 1)).toEqual(['c'])
})
