import { expect, test } from 'vitest'
import { countDaemons, type DaemonNode, type DaemonPod, type DaemonUpdate, planDaemons } from './daemon-plan'

const pod = (name: string, rest: Partial<DaemonPod> = {}): DaemonPod => ({
  name,
  updated: true,
  ready: true,
  available: true,
  failed: false,
  ...rest,
})
const old = (name: string, rest: Partial<DaemonPod> = {}): DaemonPod => pod(name, { updated: false, ...rest })
const idle = { ready: false, available: false }
const node = (name: string, ...pods: DaemonPod[]): DaemonNode => ({ name, wanted: true, tolerated: true, pods })
const ROLL: DaemonUpdate = { maxUnavailable: 1, maxSurge: 0 }
const SURGE: DaemonUpdate = { maxUnavailable: 0, maxSurge: 1 }

test.each<[string, DaemonNode[], DaemonUpdate, string[], string[]]>([
  ['every node gets one', [node('a'), node('b', pod('b1'))], ROLL, ['a'], []],
  ['a node that refuses them gets none', [{ ...node('a'), wanted: false, tolerated: false }], ROLL, [], []],
  ['a cordoned node keeps its own', [{ ...node('a', pod('a1')), wanted: false }], ROLL, [], []],
  [
    'a node that drives them out loses its own',
    [{ ...node('a', pod('a1')), wanted: false, tolerated: false }],
    ROLL,
    [],
    ['a1'],
  ],
  ['a second one is too many', [node('a', pod('a1'), pod('a2'))], ROLL, [], ['a2']],
  ['a failed one makes way first', [node('a', pod('a1', { failed: true, ...idle }))], ROLL, [], ['a1']],
  ['an update takes one at a time', [node('a', old('a1')), node('b', old('b1'))], ROLL, [], ['a1']],
  ['an update waits for the new one to serve', [node('a', pod('a2', idle)), node('b', old('b1'))], ROLL, [], []],
  ['an update waits while a node has none', [node('a'), node('b', old('b1'))], ROLL, ['a'], []],
  [
    'an old one that does not serve goes at once',
    [node('a', old('a1', idle)), node('b', old('b1', idle)), node('c', old('c1'))],
    ROLL,
    [],
    ['a1', 'b1'],
  ],
  ['people update on delete', [node('a', old('a1'))], undefined, [], []],
  ['a surge makes the new one first', [node('a', old('a1')), node('b', old('b1'))], SURGE, ['a'], []],
  ['a surge waits for it', [node('a', old('a1'), pod('a2', idle)), node('b', old('b1'))], SURGE, [], []],
  ['a surge lets the old one go then', [node('a', old('a1'), pod('a2'))], SURGE, [], ['a1']],
])('%s', (_sentence, nodes, update, ...expected) => {
  const [create, remove] = expected
  expect(planDaemons(nodes, update)).toEqual({ create, remove })
})

test('the status counts nodes', () => {
  const nodes = [
    node('a', pod('a1'), old('a0')),
    node('b', old('b1', idle)),
    node('c'),
    { ...node('d', pod('d1')), wanted: false },
  ]
  expect(countDaemons(nodes)).toEqual({
    desiredNumberScheduled: 3,
    currentNumberScheduled: 2,
    numberMisscheduled: 1,
    numberReady: 1,
    numberAvailable: 1,
    numberUnavailable: 2,
    updatedNumberScheduled: 1,
  })
})
