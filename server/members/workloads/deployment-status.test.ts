import { expect, test } from 'vitest'
import type { Deployment, ReplicaSet } from '@/lib/kube/kinds'
import { formatTime } from '@/lib/std/clock'
import { aDeployment } from '@/lib/testing/builders'
import { deploymentStatus } from './deployment-status'

const START = Date.UTC(2026, 0, 1)

function set(name: string, replicas: number, available = replicas): ReplicaSet {
  const status = { replicas, readyReplicas: available, availableReplicas: available }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name },
    spec: { replicas, selector: {} },
    status,
  } as ReplicaSet
}

function deployment(replicas: number, status?: Deployment['status']): Deployment {
  const draft = aDeployment('web', { replicas }) as Deployment
  return { ...draft, metadata: { ...draft.metadata, generation: 3 }, ...(status && { status }) }
}

const told = (snapshot: Partial<Parameters<typeof deploymentStatus>[0]>) =>
  deploymentStatus({
    deployment: deployment(3),
    fresh: set('new', 3),
    old: [],
    maxUnavailable: 0,
    now: START,
    ...snapshot,
  })
const conditions = (snapshot: Parameters<typeof told>[0]) =>
  told(snapshot).status.conditions?.map(
    ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
  )

test('counts are summed over the old and the new pods', () => {
  expect(told({ fresh: set('new', 2, 1), old: [set('old', 2)] }).status).toMatchObject({
    observedGeneration: 3,
    replicas: 4,
    updatedReplicas: 2,
    readyReplicas: 3,
    availableReplicas: 3,
    unavailableReplicas: 1,
  })
})

test.each([
  [
    'a finished roll-out',
    {},
    [
      'Available True MinimumReplicasAvailable: Deployment has minimum availability.',
      'Progressing True NewReplicaSetAvailable: ReplicaSet "new" has successfully progressed.',
    ],
  ],
  [
    'a roll-out under way',
    { fresh: set('new', 3, 1) },
    [
      'Available False MinimumReplicasUnavailable: Deployment does not have minimum availability.',
      'Progressing True ReplicaSetUpdated: ReplicaSet "new" is progressing.',
    ],
  ],
  [
    'a roll-out that may miss one pod',
    { fresh: set('new', 3, 2), maxUnavailable: 1 },
    [
      'Available True MinimumReplicasAvailable: Deployment has minimum availability.',
      'Progressing True ReplicaSetUpdated: ReplicaSet "new" is progressing.',
    ],
  ],
])('%s says so', (_what, snapshot, expected) => {
  expect(conditions(snapshot)).toEqual(expected)
})

test('a roll-out that does not move is stuck after its deadline, and moves on when a pod comes up', () => {
  const first = told({ fresh: set('new', 3, 1) })
  expect(first.recheckMs).toBe(600_000)
  const waiting = deployment(3, first.status)
  const half = told({ deployment: waiting, fresh: set('new', 3, 1), now: START + 300_000 })
  expect(half.recheckMs).toBe(300_000)
  const stuck = told({ deployment: deployment(3, half.status), fresh: set('new', 3, 1), now: START + 600_000 })
  expect(stuck.status.conditions?.[1]).toMatchObject({
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
    message: 'ReplicaSet "new" has timed out progressing.',
  })
  const moving = told({ deployment: deployment(3, stuck.status), fresh: set('new', 3, 2), now: START + 700_000 })
  expect(moving.status.conditions?.[1]).toMatchObject({
    status: 'True',
    reason: 'ReplicaSetUpdated',
    lastTransitionTime: formatTime(START + 700_000),
  })
})

test('the same state later gives the same status', () => {
  const first = told({})
  expect(told({ deployment: deployment(3, first.status), now: START + 60_000 })).toEqual(first)
})
