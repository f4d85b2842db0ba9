import { describe, expect, test } from 'vitest'
import { allKinds } from '@/lib/kube/kinds'
import type { FailoverOrder } from './actions'
import {
  createPlanNeeds, createQueueNeeds, createRebalancerNeeds, deleteQueueNeeds, editQueueNeeds, failoverNeeds, holdQueueNeeds, missingRight, planActNeeds,
  type Question, reorderNeeds, steerBindingNeeds,
} from './needs'

const LINE = { namespace: 'shop', name: 'line' }
const WEB = 'apps~v1/Deployment/shop/web'
const words = (questions: Question[]) => questions.map(({ verb, group, resource, namespace, name }) => [verb, `${resource}.${group}`, namespace, name].filter(Boolean).join(' '))

describe('an act takes', () => {
  const acts: [act: string, needs: Question[], rights: string[]][] = [
    ['at once', createRebalancerNeeds(), ['create workloadrebalancers.apps.karmada.io']],
    ['in waves', createPlanNeeds(), ['create rebalanceplans.evenkeel.io']],
    ['approve', planActNeeds('p', 'approve'), ['get rebalanceplans.evenkeel.io p', 'patch rebalanceplans.evenkeel.io p']],
    ['stop', planActNeeds('p', 'stop'), ['get rebalanceplans.evenkeel.io p', 'patch rebalanceplans.evenkeel.io p']],
    ['discard', planActNeeds('p', 'discard'), ['get rebalanceplans.evenkeel.io p', 'delete rebalanceplans.evenkeel.io p']],
    ['undo', planActNeeds('p', 'undo'), ['create rebalanceplans.evenkeel.io']],
    ['drain', failoverNeeds({ act: 'drain', cluster: 'm1' }), ['get clusters.cluster.karmada.io m1', 'patch clusters.cluster.karmada.io m1']],
    [
      'keep', failoverNeeds({ act: 'keep', cluster: 'm1', workload: WEB }),
      ['get resourcebindings.work.karmada.io shop web-deployment', 'patch resourcebindings.work.karmada.io shop web-deployment'],
    ],
    [
      'release of a binding with a name of its own', failoverNeeds({ act: 'release', cluster: 'm1', workload: WEB }, 'other'),
      ['get resourcebindings.work.karmada.io shop other', 'patch resourcebindings.work.karmada.io shop other'],
    ],
    [
      'evict without a namespace', failoverNeeds({ act: 'evict', cluster: 'm1', workload: 'rbac.authorization.k8s.io~v1/ClusterRole/-/system:x', purgeMode: 'Never' }),
      ['get clusterresourcebindings.work.karmada.io system.x-clusterrole', 'patch clusterresourcebindings.work.karmada.io system.x-clusterrole'],
    ],
    ['hold a queue', holdQueueNeeds(LINE), ['get queues.evenkeel.io shop line', 'patch queues.evenkeel.io shop line']],
    ['edit a queue and give it a namespace', editQueueNeeds(LINE, ['lab']), ['get queues.evenkeel.io shop line', 'update queues.evenkeel.io shop line', 'create queues.evenkeel.io lab']],
    ['delete a queue', deleteQueueNeeds(LINE), ['get queues.evenkeel.io shop line', 'delete queues.evenkeel.io shop line']],
    ['make a queue somewhere', createQueueNeeds([undefined]), ['create queues.evenkeel.io']],
    ['suspend a binding', steerBindingNeeds('shop', 'web-deployment'), ['get resourcebindings.work.karmada.io shop web-deployment', 'patch resourcebindings.work.karmada.io shop web-deployment']],
    [
      'release next', reorderNeeds(LINE, 'shop'),
      ['get queues.evenkeel.io shop line', 'update queues.evenkeel.io shop line', 'get resourcebindings.work.karmada.io shop', 'patch resourcebindings.work.karmada.io shop'],
    ],
    ['an id that is none', failoverNeeds({ act: 'keep', cluster: 'm1', workload: 'web' }), []],
  ]
  test.each(acts)('%s', (_act, needs, rights) => {
    expect(words(needs)).toEqual(rights)
  })

  test('rights on kinds that there are, with a namespace where the kind has one', () => {
    const orders: FailoverOrder[] = [{ act: 'drain', cluster: 'm1' }, { act: 'keep', cluster: 'm1', workload: WEB }, { act: 'keep', cluster: 'm1', workload: 'v1/Namespace/-/x' }]
    for (const { group, resource, namespace } of [...createRebalancerNeeds(), ...createPlanNeeds(), ...orders.flatMap((order) => failoverNeeds(order))]) {
      const kind = allKinds.find((each) => each.group === group && each.plural === resource)
      expect(kind?.scope).toBe(namespace === undefined ? 'Cluster' : 'Namespaced')
    }
  })
})

describe('a missing right is told', () => {
  const patch: Question = { verb: 'patch', group: 'evenkeel.io', resource: 'queues', namespace: 'lab', name: 'main' }
  test.each<[reason: string, sentence: string]>([
    ['no role binds jane to it', 'You may not patch queues.evenkeel.io "main" in namespace lab: no role binds jane to it.'],
    ['No role does. ', 'You may not patch queues.evenkeel.io "main" in namespace lab: No role does.'],
    ['', 'You may not patch queues.evenkeel.io "main" in namespace lab.'],
    ['You may not do that.', 'You may not do that.'],
    ['Your account may not patch queues.evenkeel.io "main" in namespace lab.', 'You may not patch queues.evenkeel.io "main" in namespace lab.'],
  ])('where the API server says "%s"', (reason, sentence) => {
    expect(missingRight(patch, reason)).toBe(sentence)
  })

  test('of a core kind and a subresource', () => {
    expect(missingRight({ verb: 'create', group: '', resource: 'pods', subresource: 'eviction' }, '')).toBe('You may not create pods/eviction.')
  })
})
