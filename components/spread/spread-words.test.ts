import { describe, expect, test } from 'vitest'
import type { ExpectedPodView, SpreadInClusterView, SpreadView } from '@/lib/view/spread-model'
import { accountText, balanceInShort, expectedText, lastUntil, limitWord, longestBar, podsBySubset, stepText, subsetsInShort } from './spread-words'

const subsets = [{ name: 'spot', maxReplicas: '60%', rules: [] }, { name: 'ondemand', maxReplicas: 3, rules: [] }, { name: 'rest', rules: [] }]
const account = (off: number): SpreadInClusterView['account'] => ({ total: 10, parts: [5, 3, 2 - off], off, state: { state: 'ok', reason: '' } })
const cluster = (name: string, counts: readonly number[], off = 0): SpreadInClusterView => ({
  cluster: name, state: { state: 'ok', reason: '' }, revisions: 1, account: account(off),
  subsets: counts.map((now, at) => ({ name: subsets[at]!.name, now, expected: [], conditions: [], state: { state: 'ok' as const, reason: '' } })),
})
const spread = (...clusters: SpreadInClusterView[]): SpreadView => ({
  id: 'demo/pools', namespace: 'demo', name: 'pools', createdAt: '', strategy: 'Fixed', manner: [], subsets, deletion: 'subset', clusters,
  target: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, state: { state: 'ok', reason: '' },
})
const pod = (name: string, doing: ExpectedPodView['doing'], until: string): ExpectedPodView => ({ name, doing, since: '', until })

describe('subsets in words', () => {
  test('a limit as written, or none', () => {
    expect(subsets.map(limitWord)).toEqual(['max 60%', 'max 3', 'no limit'])
    expect(subsetsInShort(subsets)).toBe('spot 60% → ondemand 3 → rest')
  })

  test('the pods of all clusters together, by subset', () => {
    expect(podsBySubset(spread(cluster('m1', [5, 3, 2]), cluster('m2', [1, 0, 0])))).toEqual([{ name: 'spot', pods: 6 }, { name: 'ondemand', pods: 3 }, { name: 'rest', pods: 2 }])
    expect(podsBySubset(spread({ cluster: 'm1', state: { state: 'unknown', reason: '' }, revisions: 0 }))).toBeUndefined()
  })

  test('bars of all clusters have one scale', () => {
    expect(longestBar(spread(cluster('m1', [5, 3, 2]), cluster('m2', [7, 0, 0])))).toBe(7)
    expect(longestBar(spread())).toBe(1)
  })

  test('the account adds its parts', () => {
    expect(accountText(account(0)!)).toBe('10 = 5 + 3 + 2')
    expect(balanceInShort([cluster('m1', []), cluster('m2', [], 1), { cluster: 'm3', state: { state: 'ok', reason: '' }, revisions: 0 }])).toEqual({ accounts: 2, balanced: 1 })
  })

  test.each([
    ['2 pods of rest', { subset: 'rest', surplus: false, pods: 2, cost: 100 }],
    ['1 too many of spot', { subset: 'spot', surplus: true, pods: 1, cost: -100 }],
    ['3 in no subset', { surplus: true, pods: 3, cost: -400 }],
  ])('a step of a scale-down: %s', (text, step) => {
    expect(stepText(step)).toBe(text)
  })

  test('pods on their way are counted, named, and awaited until the last is given up', () => {
    const expected = [pod('a', 'creating', '2026-01-01T00:00:30Z'), pod('b', 'deleting', '2026-01-01T00:00:15Z'), pod('c', 'creating', '2026-01-01T00:00:20Z')]
    expect(expectedText(expected)).toEqual({ text: '2 coming and 1 going', names: 'coming: a and c; going: b' })
    expect(lastUntil(expected)).toBe('2026-01-01T00:00:30Z')
    expect(lastUntil([])).toBeUndefined()
  })
})
