import { expect, test } from 'vitest'
import type { SpreadView } from '@/lib/view/spread-model'
import { cutsOf } from './spread-cuts'

const spreadOf = (...counts: number[]): SpreadView => ({
  id: 'demo/pools',
  namespace: 'demo',
  name: 'pools',
  createdAt: '',
  strategy: 'Fixed',
  behavior: [],
  subsets: [],
  deletion: 'subset',
  target: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  state: { state: 'ok', reason: '' },
  clusters: [
    {
      cluster: 'm1',
      revisions: 1,
      state: { state: 'ok', reason: '' },
      subsets: counts.map((current, at) => ({
        name: `s${at}`,
        current,
        expected: [],
        conditions: [],
        state: { state: 'ok', reason: '' },
      })),
    },
  ],
})

test.each<[sentence: string, counts: number[], now: number, cuts: number[]]>([
  ['between subsets', [5, 3, 2], 10, [5, 8]],
  ['not after the last', [5, 5], 10, [5]],
  ['not where a subset has no pods', [0, 4, 0, 6], 10, [4]],
  ['before the pods that are in no subset', [5, 3], 10, [5, 8]],
  ['not beyond what is there', [5, 8], 10, [5]],
])('a bar is cut %s', (_sentence, counts, now, cuts) => {
  expect(cutsOf(spreadOf(...counts), 'm1', now)).toEqual(cuts)
})

test('a bar without a spread, or in a cluster that reported none, is whole', () => {
  expect(cutsOf(undefined, 'm1', 4)).toEqual([])
  expect(cutsOf(spreadOf(2, 2), 'm2', 4)).toEqual([])
})
