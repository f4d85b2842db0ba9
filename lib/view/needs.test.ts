import { describe, expect, test } from 'vitest'
import { allKinds } from '@/lib/kube/kinds'
import { english } from '@/lib/messages/english'
import type { FailoverOrder } from './actions'
import {
  createPlanNeeds,
  createQueueNeeds,
  createRebalancerNeeds,
  deleteQueueNeeds,
  editQueueNeeds,
  failoverNeeds,
  holdQueueNeeds,
  missingRight,
  planActionNeeds,
  type Question,
  reorderNeeds,
  steerBindingNeeds,
} from './needs'

const LINE = { namespace: 'shop', name: 'line' }
const WEB = 'apps~v1/Deployment/shop/web'
const ROLE = 'rbac.authorization.k8s.io~v1/ClusterRole/-/system:x'
const words = (questions: Question[]) =>
  questions.map(({ verb, resource, namespace, name }) => [verb, resource, namespace, name].filter(Boolean).join(' '))

describe('an act takes', () => {
  const acts: [act: string, needs: Question[], rights: string[]][] = [
    ['at once', createRebalancerNeeds(), ['create workloadrebalancers']],
    ['in waves', createPlanNeeds(), ['create rebalanceplans']],
    ['approve', planActionNeeds('p', 'approve'), ['get rebalanceplans p', 'patch rebalanceplans p']],
    ['stop', planActionNeeds('p', 'stop'), ['get rebalanceplans p', 'patch rebalanceplans p']],
    ['discard', planActionNeeds('p', 'discard'), ['get rebalanceplans p', 'delete rebalanceplans p']],
    ['undo', planActionNeeds('p', 'undo'), ['create rebalanceplans']],
    ['drain', failoverNeeds({ action: 'drain', cluster: 'm1' }), ['get clusters m1', 'patch clusters m1']],
    [
      'keep',
      failoverNeeds({ action: 'keep', cluster: 'm1', workload: WEB }),
      ['get resourcebindings shop web-deployment', 'patch resourcebindings shop web-deployment'],
    ],
    [
      'release of a binding with a name of its own',
      failoverNeeds({ action: 'release', cluster: 'm1', workload: WEB }, 'other'),
      ['get resourcebindings shop other', 'patch resourcebindings shop other'],
    ],
    [
      'evict without a namespace',
      failoverNeeds({ action: 'evict', cluster: 'm1', workload: ROLE, purgeMode: 'Never' }),
      ['get clusterresourcebindings system.x-clusterrole', 'patch clusterresourcebindings system.x-clusterrole'],
    ],
    ['hold a queue', holdQueueNeeds(LINE), ['get queues shop line', 'patch queues shop line']],
    [
      'edit a queue and give it a namespace',
      editQueueNeeds(LINE, ['lab']),
      ['get queues shop line', 'update queues shop line', 'create queues lab'],
    ],
    ['delete a queue', deleteQueueNeeds(LINE), ['get queues shop line', 'delete queues shop line']],
    ['make a queue somewhere', createQueueNeeds([undefined]), ['create queues']],
    [
      'suspend a binding',
      steerBindingNeeds('shop', 'web-deployment'),
      ['get resourcebindings shop web-deployment', 'patch resourcebindings shop web-deployment'],
    ],
    [
      'release next',
      reorderNeeds(LINE, 'shop'),
      ['get queues shop line', 'update queues shop line', 'get resourcebindings shop', 'patch resourcebindings shop'],
    ],
    ['an id that is none', failoverNeeds({ action: 'keep', cluster: 'm1', workload: 'web' }), []],
  ]
  test.each(acts)('%s', (_act, needs, rights) => {
    expect(words(needs)).toEqual(rights)
  })

  test('rights on kinds that there are, with a namespace where the kind has one', () => {
    const orders: FailoverOrder[] = [
      { action: 'drain', cluster: 'm1' },
      { action: 'keep', cluster: 'm1', workload: WEB },
      { action: 'keep', cluster: 'm1', workload: ROLE },
    ]
    const needs = [
      ...createRebalancerNeeds(),
      ...createPlanNeeds(),
      ...holdQueueNeeds(LINE),
      ...orders.flatMap((order) => failoverNeeds(order)),
    ]
    for (const { group, resource, namespace } of needs) {
      const kind = allKinds.find((each) => each.group === group && each.plural === resource)
      expect(kind?.scope).toBe(namespace === undefined ? 'Cluster' : 'Namespaced')
    }
  })
})

describe('a missing right is told', () => {
  const patch: Question = { verb: 'patch', group: 'evenkeel.io', resource: 'queues', namespace: 'lab', name: 'main' }
  const what = 'patch queues.evenkeel.io "main" in namespace lab'
  test.each<[reason: string, sentence: string]>([
    ['no role binds jane to it', `You may not ${what}: no role binds jane to it.`],
    ['No role does. ', `You may not ${what}: No role does.`],
    ['', `You may not ${what}.`],
  ])('where the API server says "%s"', (reason, sentence) => {
    expect(english.of(missingRight(patch, reason))).toBe(sentence)
  })

  test('of a core kind and a subresource', () => {
    const evict = { verb: 'create', group: '', resource: 'pods', subresource: 'eviction' }
    expect(english.of(missingRight(evict, ''))).toBe('You may not create pods/eviction.')
  })
})
