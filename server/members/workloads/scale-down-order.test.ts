import { expect, test } from 'vitest'
import type { Pod } from '@/lib/kube/kinds'
import { formatTime } from '@/lib/std/clock'
import { DELETION_COST, orderForScaleDown } from './scale-down-order'

const NOW = Date.UTC(2026, 0, 2)

interface Traits {
  node?: string
  phase?: string
  ready?: boolean
  cost?: string
  /** Seconds. */
  readyFor?: number
  restarts?: number
  age?: number
}

function pod(
  name: string,
  { node = 'n1', phase = 'Running', ready = true, cost, readyFor = 1000, restarts = 0, age = 2000 }: Traits = {},
): Pod {
  const lastTransitionTime = formatTime(NOW - readyFor * 1000)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: formatTime(NOW - age * 1000),
      ...(cost !== undefined && { annotations: { [DELETION_COST]: cost } }),
    },
    spec: { ...(node && { nodeName: node }), containers: [] },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }],
      containerStatuses: [{ name: 'main', image: '', imageID: '', ready, restartCount: restarts }],
    },
  }
}

test.each<[string, Traits, Traits]>([
  ['pods without a node go first', { node: '', phase: 'Pending' }, { cost: '-5' }],
  ['then pending ones', { phase: 'Pending', ready: false }, { ready: false }],
  ['then those that are not ready', { ready: false, cost: '9' }, { cost: '-9' }],
  ['then cheaper ones, however old', { cost: '-1', readyFor: 90_000 }, { readyFor: 1 }],
  ['no cost counts as zero', {}, { cost: '1' }],
  ['a broken cost counts as zero', { cost: '-1' }, { cost: '-1.5' }],
  ['a cost with a plus sign is broken', { cost: '-1' }, { cost: '+9' }],
  ['then the ones ready for a shorter time', { readyFor: 10 }, { readyFor: 1000 }],
  ['then those that restarted more often', { restarts: 3 }, { restarts: 1 }],
  ['then younger ones', { age: 10 }, { age: 1000 }],
])('%s', (_sentence, first, second) => {
  const pods = [pod('b', second), pod('a', first)]
  for (const order of [pods, pods.toReversed()]) {
    expect(orderForScaleDown({ pods: order, related: pods, now: NOW }).map(({ metadata }) => metadata.name)).toEqual([
      'a',
      'b',
    ])
  }
})

test('one goes from the node with most pods of the workload and its siblings', () => {
  const pods = [pod('alone', { node: 'n1', readyFor: 1 }), pod('crowded', { node: 'n2' })]
  const related = [...pods, pod('sibling', { node: 'n2' })]
  expect(orderForScaleDown({ pods, related, now: NOW }).map(({ metadata }) => metadata.name)).toEqual([
    'crowded',
    'alone',
  ])
})

test('times of one order of magnitude are told apart by uid', () => {
  const pods = [pod('b', { readyFor: 1000 }), pod('a', { readyFor: 1010 })]
  expect(orderForScaleDown({ pods, related: pods, now: NOW }).map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
})
