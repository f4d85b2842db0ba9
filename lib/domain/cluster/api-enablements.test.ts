import { expect, test } from 'vitest'
import { apiEnablementsOf, observeEnablements } from './api-enablements'

test('kinds are sorted, and subresources omitted', () => {
  const lists = [
    {
      groupVersion: 'v1',
      resources: [
        { name: 'pods', kind: 'Pod' },
        { name: 'pods/log', kind: 'Pod' },
        { name: 'nodes', kind: 'Node' },
      ],
    },
    { groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] },
  ]
  expect(apiEnablementsOf(lists)).toEqual([
    { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] },
    {
      groupVersion: 'v1',
      resources: [
        { kind: 'Node', name: 'nodes' },
        { kind: 'Pod', name: 'pods' },
      ],
    },
  ])
})

test.each([
  [0, true, { status: 'False', reason: 'Empty', message: 'collected empty APIEnablements from the cluster' }],
  [2, true, { status: 'True', reason: 'Complete', message: 'collected complete APIEnablements from the cluster' }],
  [
    2,
    false,
    { status: 'False', reason: 'Partial', message: 'might collect partial APIEnablements(2) from the cluster' },
  ],
])('%i group versions, complete: %s, are reported', (count, complete, expected) => {
  const list = Array.from({ length: count }, (_, index) => ({ groupVersion: `g${index}/v1` }))
  expect(observeEnablements(list, complete)).toEqual({ type: 'CompleteAPIEnablements', ...expected })
})
