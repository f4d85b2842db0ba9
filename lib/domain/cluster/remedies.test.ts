import { expect, test } from 'vitest'
import { aCluster } from '@/lib/testing/builders'
import type { Cluster } from '../../kube/kinds'
import type { Remedy } from '../../kube/kinds/remedy'
import { remedyActionsOf } from './remedies'

const withCondition = (type: string, status: 'True' | 'False'): Cluster => {
  const conditions = [{ type, status, reason: 'r', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }]
  return { ...aCluster('m1'), status: { conditions } } as unknown as Cluster
}
const remedy = (spec: Remedy['spec']): Remedy => ({ metadata: { name: 'r' }, spec }) as Remedy
const match = (operator: 'Equal' | 'NotEqual', conditionStatus: string) => ({
  clusterConditionMatch: { conditionType: 'DNS', operator, conditionStatus },
})

test.each([
  ['no list of matches', undefined, ['TrafficControl']],
  ['an empty list', [], []],
  ['an equal status', [match('Equal', 'False')], ['TrafficControl']],
  ['another status', [match('Equal', 'True')], []],
  ['a status that differs as asked', [match('NotEqual', 'True')], ['TrafficControl']],
  ['one match of several', [match('Equal', 'True'), match('Equal', 'False')], ['TrafficControl']],
])('%s', (_, decisionMatches, expected) => {
  const one = remedy({ actions: ['TrafficControl'], ...(decisionMatches && { decisionMatches }) })
  expect(remedyActionsOf(withCondition('DNS', 'False'), [one])).toEqual(expected)
})

test('a condition that the cluster does not have meets no match', () => {
  const one = remedy({ actions: ['TrafficControl'], decisionMatches: [match('NotEqual', 'True')] })
  expect(remedyActionsOf(withCondition('Other', 'False'), [one])).toEqual([])
})

test('actions of several remedies are there once, in order; remedies of other clusters are left out', () => {
  const of = (actions: string[], clusterNames?: string[]) =>
    remedy({ actions, ...(clusterNames && { clusterAffinity: { clusterNames } }) })
  const all = [of(['b', 'a']), of(['a'], ['m1']), of(['c'], ['m2']), of(['d'], [])]
  expect(remedyActionsOf(withCondition('DNS', 'False'), all)).toEqual(['a', 'b'])
})
