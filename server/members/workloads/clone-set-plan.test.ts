import { expect, test } from 'vitest'
import type { CloneSet, Pod } from '@/lib/kube/kinds'
import { DELETION_COST } from './scale-down-order'
import { planCloneSet } from './clone-set-plan'

interface PodTraits {
  old?: boolean
  unready?: boolean
  cost?: number
}

const aPod = (name: string, { old = false, unready = false, cost }: PodTraits = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    uid: name,
    resourceVersion: '',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { revision: old ? 'old' : 'new' },
    ...(cost !== undefined && { annotations: { [DELETION_COST]: String(cost) } }),
  },
  spec: { nodeName: 'n', containers: [] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: unready ? 'False' : 'True' }] },
})
const aSet = (replicas: number, spec: object = {}): CloneSet =>
  ({
    metadata: { name: 'web' },
    spec: { replicas, selector: {}, template: { spec: { containers: [] } }, ...spec },
  }) as unknown as CloneSet

const names = (pods: readonly Pod[]): string[] => pods.map(({ metadata }) => metadata.name)
const plan = (set: CloneSet, pods: Pod[], unseen = 0) =>
  planCloneSet({ set, pods, unseen, isUpdated: ({ metadata }) => metadata.labels?.revision === 'new', now: 0 })

const strategy = (updateStrategy: object) => ({ updateStrategy })

test.each<[string, CloneSet, Pod[], { made: number; gone: string[] }]>([
  ['what is missing is made', aSet(3), [aPod('a')], { made: 2, gone: [] }],
  [
    'the cheapest pod goes first',
    aSet(1),
    [aPod('a', { cost: 200 }), aPod('b', { cost: -100 })],
    { made: 0, gone: ['b'] },
  ],
  [
    'a pod that is not ready goes before a cheaper one',
    aSet(1),
    [aPod('a', { cost: 200, unready: true }), aPod('b', { cost: -100 })],
    { made: 0, gone: ['a'] },
  ],
  [
    'a pod of the old template goes before all others',
    aSet(1),
    [aPod('a', { old: true, cost: 200 }), aPod('b', { cost: -100, unready: true })],
    { made: 0, gone: ['a'] },
  ],
  [
    'named pods go, and are replaced',
    aSet(2, { scaleStrategy: { podsToDelete: ['b'] } }),
    [aPod('a'), aPod('b')],
    { made: 1, gone: ['b'] },
  ],
  [
    'named pods are the surplus',
    aSet(1, { scaleStrategy: { podsToDelete: ['a'] } }),
    [aPod('a', { cost: 200 }), aPod('b')],
    { made: 0, gone: ['a'] },
  ],
  [
    'old pods are replaced a few at a time',
    aSet(5),
    ['a', 'b', 'c', 'd', 'e'].map((name) => aPod(name, { old: true })),
    { made: 0, gone: ['a'] },
  ],
  [
    'more may be unavailable',
    aSet(4, strategy({ maxUnavailable: 2 })),
    ['a', 'b', 'c', 'd'].map((name) => aPod(name, { old: true })),
    { made: 0, gone: ['a', 'b'] },
  ],
  [
    'none goes while others are on their way',
    aSet(2),
    [aPod('a', { old: true }), aPod('b', { unready: true })],
    { made: 0, gone: [] },
  ],
  [
    'a broken old pod costs nothing',
    aSet(2),
    [aPod('a', { old: true, unready: true }), aPod('b', { unready: true })],
    { made: 0, gone: ['a'] },
  ],
  [
    'a partition of old pods stays',
    aSet(2, strategy({ partition: 1, maxUnavailable: 2 })),
    [aPod('a', { old: true }), aPod('b', { old: true })],
    { made: 0, gone: ['a'] },
  ],
  [
    'a paused roll-out does not advance',
    aSet(2, strategy({ paused: true })),
    [aPod('a', { old: true }), aPod('b', { old: true })],
    { made: 0, gone: [] },
  ],
])('%s', (_sentence, set, pods, expected) => {
  const { missing, leaving } = plan(set, pods)
  expect({ made: missing, gone: names(leaving) }).toEqual(expected)
})

test('pods made a moment ago count', () => {
  expect(plan(aSet(2), [aPod('a')], 1)).toMatchObject({ missing: 0, leaving: [] })
})
