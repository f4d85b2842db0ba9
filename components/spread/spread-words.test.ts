import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { ExpectedPodView, SpreadInClusterView, SpreadView } from '@/lib/view/spread-model'
import {
  sumText,
  balanceInShort,
  expectedText,
  lastUntil,
  limitWord,
  longestBar,
  podsBySubset,
  stepText,
  subsetsInShort,
} from './spread-words'

const subsets = [
  { name: 'spot', maxReplicas: '60%', rules: [] },
  { name: 'ondemand', maxReplicas: 3, rules: [] },
  { name: 'rest', rules: [] },
]
const sumOf = (off: number): SpreadInClusterView['sum'] => ({
  total: 10,
  parts: [5, 3, 2 - off],
  off,
  state: { state: 'ok', reason: '' },
})
const cluster = (name: string, counts: readonly number[], off = 0): SpreadInClusterView => ({
  cluster: name,
  state: { state: 'ok', reason: '' },
  revisions: 1,
  sum: sumOf(off),
  subsets: counts.map((current, at) => ({
    name: subsets[at]!.name,
    current,
    expected: [],
    conditions: [],
    state: { state: 'ok' as const, reason: '' },
  })),
})
const spread = (...clusters: SpreadInClusterView[]): SpreadView => ({
  id: 'demo/pools',
  namespace: 'demo',
  name: 'pools',
  createdAt: '',
  strategy: 'Fixed',
  behavior: [],
  subsets,
  deletion: 'subset',
  clusters,
  target: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  state: { state: 'ok', reason: '' },
})
const pod = (name: string, doing: ExpectedPodView['doing'], until: string): ExpectedPodView => ({
  name,
  doing,
  since: '',
  until,
})

describe('subsets in words', () => {
  test('a limit as written, or none', () => {
    expect(subsets.map((subset) => limitWord(english, subset))).toEqual(['max 60%', 'max 3', 'no limit'])
    expect(subsetsInShort(subsets)).toBe('spot 60% → ondemand 3 → rest')
  })

  test('the pods of all clusters together, by subset', () => {
    expect(podsBySubset(spread(cluster('m1', [5, 3, 2]), cluster('m2', [1, 0, 0])))).toEqual([
      { name: 'spot', pods: 6 },
      { name: 'ondemand', pods: 3 },
      { name: 'rest', pods: 2 },
    ])
    expect(
      podsBySubset(spread({ cluster: 'm1', state: { state: 'unknown', reason: '' }, revisions: 0 })),
    ).toBeUndefined()
  })

  test('bars of all clusters have one scale', () => {
    expect(longestBar(spread(cluster('m1', [5, 3, 2]), cluster('m2', [7, 0, 0])))).toBe(7)
    expect(longestBar(spread())).toBe(1)
  })

  test('the sum adds its parts', () => {
    expect(sumText(sumOf(0)!)).toBe('10 = 5 + 3 + 2')
    expect(
      balanceInShort([
        cluster('m1', []),
        cluster('m2', [], 1),
        { cluster: 'm3', state: { state: 'ok', reason: '' }, revisions: 0 },
      ]),
    ).toEqual({ sums: 2, balanced: 1 })
  })

  test.each([
    ['2 pods of rest', { subset: 'rest', surplus: false, pods: 2, cost: 100 }],
    ['1 surplus pod of spot', { subset: 'spot', surplus: true, pods: 1, cost: -100 }],
    ['3 pods in no subset', { surplus: true, pods: 3, cost: -400 }],
  ])('a step of a scale-down: %s', (text, step) => {
    expect(stepText(english, step)).toBe(text)
  })

  test('expected pods are counted, named, and waited for until the last expires', () => {
    const expected = [
      pod('a', 'creating', '2026-01-01T00:00:30Z'),
      pod('b', 'deleting', '2026-01-01T00:00:15Z'),
      pod('c', 'creating', '2026-01-01T00:00:20Z'),
    ]
    expect(expectedText(english, expected)).toEqual({
      counts: '2 creating and 1 deleting',
      names: 'Creating: a and c; Deleting: b',
    })
    expect(lastUntil(expected)).toBe('2026-01-01T00:00:30Z')
    expect(lastUntil([])).toBeUndefined()
  })
})
