import { expect, test } from 'vitest'
import { chooseNode, type NodeInfo, type PodNeeds } from './choose-node'

const nodeInfo = (name: string, cpu: number, used = 0, rest: Partial<NodeInfo> = {}): NodeInfo => ({
  name,
  labels: {},
  unschedulable: false,
  taints: [],
  allocatable: new Map([
    ['cpu', cpu],
    ['pods', 110],
  ]),
  used: new Map([
    ['cpu', used],
    ['pods', used > 0 ? 1 : 0],
  ]),
  ...rest,
})
const needs = (cpu: number, nodeSelector = {}, rest: Partial<PodNeeds> = {}): PodNeeds => ({
  requests: new Map([['cpu', cpu]]),
  nodeSelector,
  tolerations: [],
  ...rest,
})

const zoneIn = (...values: string[]): Partial<PodNeeds> => ({
  affinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values }] }],
    },
  },
})

test('the emptiest node that fits takes the pod', () => {
  expect(
    chooseNode([nodeInfo('a', 1000, 500), nodeInfo('b', 1000, 100), nodeInfo('c', 1000, 300)], needs(500)),
  ).toEqual({ node: 'b' })
})

test('pods without requests are spread by number', () => {
  const [full, empty] = [nodeInfo('a', 1000, 0, { used: new Map([['pods', 3]]) }), nodeInfo('b', 1000)]
  expect(chooseNode([full, empty], needs(0))).toEqual({ node: 'b' })
})

test('equally empty nodes are taken by name', () => {
  expect(chooseNode([nodeInfo('b', 1000), nodeInfo('a', 1000)], needs(500))).toEqual({ node: 'a' })
})

test.each([
  ['no node at all', [], needs(1), 'no nodes available to schedule pods'],
  [
    'all nodes full',
    [nodeInfo('a', 1000, 900), nodeInfo('b', 1000, 900), nodeInfo('c', 1000, 900)],
    needs(500),
    '0/3 nodes are available: 3 Insufficient cpu.',
  ],
  [
    'cordoned nodes',
    [nodeInfo('a', 1000, 0, { unschedulable: true }), nodeInfo('b', 100)],
    needs(500),
    '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.',
  ],
  [
    'a selector that nothing matches',
    [nodeInfo('a', 1000)],
    needs(1, { disk: 'ssd' }),
    "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
  ],
  [
    'no room for one more pod',
    [
      nodeInfo('a', 1000, 0, {
        allocatable: new Map([
          ['cpu', 1000],
          ['pods', 0],
        ]),
      }),
    ],
    needs(1),
    '0/1 nodes are available: 1 Too many pods.',
  ],
  [
    'a taint that is not tolerated',
    [nodeInfo('a', 1000, 0, { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] })],
    needs(1),
    '0/1 nodes are available: 1 node(s) had untolerated taint {gpu: yes}.',
  ],
  [
    'a required affinity that nothing matches',
    [nodeInfo('a', 1000, 0, { labels: { zone: 'x' } })],
    needs(1, {}, zoneIn('y')),
    "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
  ],
])('%s is explained', (_what, nodeInfos, pod, message) => {
  expect(chooseNode(nodeInfos, pod)).toEqual({ message })
})

const [east, west] = [
  nodeInfo('east', 1000, 900, { labels: { zone: 'e' } }),
  nodeInfo('west', 1000, 0, { labels: { zone: 'w' } }),
]
const gpu = { key: 'gpu', effect: 'NoSchedule' }

test.each<[string, NodeInfo[], PodNeeds, string]>([
  ['a required term', [east, west], needs(1, {}, zoneIn('e')), 'east'],
  [
    'a required field',
    [east, west],
    needs(
      1,
      {},
      {
        affinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['east'] }] }],
          },
        },
      },
    ),
    'east',
  ],
  [
    'a preferred term, before free room',
    [east, west],
    needs(
      1,
      {},
      {
        affinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 5, preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: ['e'] }] } },
          ],
        },
      },
    ),
    'east',
  ],
  [
    'a toleration',
    [nodeInfo('a', 1000, 0, { taints: [gpu] })],
    needs(1, {}, { tolerations: [{ key: 'gpu', operator: 'Exists' }] }),
    'a',
  ],
  [
    'a toleration of the cordon',
    [nodeInfo('a', 1000, 0, { unschedulable: true })],
    needs(1, {}, { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }] }),
    'a',
  ],
  [
    'a taint that only asks',
    [nodeInfo('a', 1000, 0, { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] }), nodeInfo('b', 1000, 900)],
    needs(1),
    'b',
  ],
])('%s is heeded', (_what, nodeInfos, pod, node) => {
  expect(chooseNode(nodeInfos, pod)).toEqual({ node })
})
