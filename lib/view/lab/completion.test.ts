import { expect, test } from 'vitest'
import { completionsAt } from './completion'

/** `|` marks the position. */
const at = (text: string): string[] => {
  const position = text.indexOf('|')
  return completionsAt(text.replace('|', ''), position).map(({ label }) => label)
}

test.each([
  ['spec:\n  placement:\n    |', ['clusterAffinities', 'clusterAffinity', 'clusterTolerations', 'replicaScheduling']],
  ['spec:\n  placement:\n    clusterAffinity:\n      clu|', ['clusterNames', 'exclude', 'labelSelector']],
  ['spec:\n  placement:\n    spreadConstraints:\n    - |', ['maxGroups', 'minGroups', 'spreadByField']],
  ['spec:\n  placement:\n    spreadConstraints:\n    - minGroups: 1\n      |', ['maxGroups', 'spreadByField']],
  ['spec:\n  placement:\n    spreadConstraints:\n      - spreadByField: |', ['cluster', 'region', 'zone', 'provider']],
  ['spec:\n  placement:\n    replicaScheduling:\n      replicaSchedulingType: Di|', ['Duplicated', 'Divided']],
  ['spec:\n  |\n  placement: {}', ['priority', 'preemption', 'suspension']],
])('%j offers %j', (text, expected) => {
  expect(at(text)).toEqual(expect.arrayContaining(expected))
})

test('what stands there already is not offered again', () => {
  expect(at('spec:\n  placement:\n    clusterAffinity: {}\n    |')).not.toContain('clusterAffinity')
  expect(at('spec:\n  placement:\n    spreadConstraints:\n    - minGroups: 1\n      |')).not.toContain('minGroups')
})

test('nothing is offered outside of the spec, or where words follow', () => {
  expect([at('metadata:\n  |'), at('spec:\n  placement: some words |')]).toEqual([[], []])
})
