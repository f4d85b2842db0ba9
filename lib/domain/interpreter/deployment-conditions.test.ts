import { expect, test } from 'vitest'
import { withDeploymentConditions } from './deployment-conditions'

const T0 = '2026-01-01T00:00:00Z'
const T1 = '2026-01-01T01:00:00Z'
const template = { metadata: { name: 'web', generation: 2 }, spec: { replicas: 3 } }
const told = (status: object) =>
  ((status as { conditions?: { type: string; status: string; reason: string }[] }).conditions ?? []).map(
    ({ type, status: is, reason }) => `${type} ${is} ${reason}`,
  )
const done = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 }

test.each([
  ['nothing reported', {}, []],
  ['all available', done, ['Available True MinimumReplicasAvailable', 'Progressing True NewReplicaSetAvailable']],
  [
    'one missing',
    { ...done, availableReplicas: 2 },
    ['Available False MinimumReplicasUnavailable', 'Progressing True ReplicaSetUpdated'],
  ],
  [
    'none left',
    { observedGeneration: 2, replicas: 0 },
    ['Available False MinimumReplicasUnavailable', 'Progressing True ReplicaSetUpdated'],
  ],
  [
    'numbers of an older generation',
    { ...done, observedGeneration: 1 },
    ['Available False MinimumReplicasUnavailable', 'Progressing True ReplicaSetUpdated'],
  ],
  [
    'more than wanted while it moves',
    { ...done, replicas: 5 },
    ['Available True MinimumReplicasAvailable', 'Progressing True ReplicaSetUpdated'],
  ],
])('conditions of a template with %s', (_case, status, expected) => {
  expect(told(withDeploymentConditions(template, status, T0))).toEqual(expected)
})

test('times follow their conditions, and other conditions stay', () => {
  const other = { type: 'ReplicaFailure', status: 'True', reason: 'R', message: '' }
  const first = withDeploymentConditions(template, { ...done, conditions: [other] }, T0)
  expect(withDeploymentConditions(template, first, T1)).toEqual(first)
  expect(withDeploymentConditions(template, { ...first, replicas: 5 }, T1).conditions).toMatchObject([
    other,
    { type: 'Available', lastTransitionTime: T0, lastUpdateTime: T0 },
    { type: 'Progressing', lastTransitionTime: T0, lastUpdateTime: T1 },
  ])
})
