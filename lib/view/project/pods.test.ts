import { describe, expect, it } from 'vitest'
import type { Node, Pod } from '@/lib/kube/kinds'
import { oldestFirst, projectNode, projectPod } from './pods'

interface Given {
  status?: object
  metadata?: object
  spec?: object
}

const pod = ({ status = {}, metadata = {}, spec = {} }: Given): Pod =>
  ({
    metadata: { name: 'p', namespace: 'n', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    spec: { nodeName: 'node', containers: [{ name: 'c', image: 'i' }], ...spec },
    status,
  }) as unknown as Pod
const container = (state: object, more: object = {}) => ({
  containerStatuses: [{ name: 'c', image: 'i', ready: false, restartCount: 3, state, ...more }],
})
const READY = [{ type: 'Ready', status: 'True' }]

it('pods are in the order of their creation, and those of one second by name', () => {
  const at = (name: string, second: number) =>
    pod({ metadata: { name, creationTimestamp: `2026-01-01T00:00:0${second}Z` } })
  const names = oldestFirst([at('a', 3), at('b', 1), at('c', 3), at('d', 2)]).map(({ metadata }) => metadata.name)
  expect(names).toEqual(['b', 'd', 'a', 'c'])
})

describe('a pod is shown as kubectl puts it', () => {
  it.each<[string, Given, string, string]>([
    [
      'that runs',
      { status: { phase: 'Running', conditions: READY, ...container({ running: {} }) } },
      'ready',
      'Running',
    ],
    [
      'that runs and is not ready',
      { status: { phase: 'Running', ...container({ running: {} }) } },
      'notReady',
      'Running',
    ],
    ['that starts', { status: { phase: 'Pending' } }, 'starting', 'ContainerCreating'],
    ['without a node', { status: { phase: 'Pending' }, spec: { nodeName: undefined } }, 'starting', 'Pending'],
    [
      'that crashes again and again',
      { status: { phase: 'Running', ...container({ waiting: { reason: 'CrashLoopBackOff' } }) } },
      'failed',
      'CrashLoopBackOff',
    ],
    ['that completed', { status: { phase: 'Succeeded' } }, 'completed', 'Completed'],
    ['that failed', { status: { phase: 'Failed' } }, 'failed', 'Error'],
    [
      'that is deleted',
      { status: { phase: 'Running' }, metadata: { deletionTimestamp: '2026-01-01T00:00:01Z' } },
      'leaving',
      'Terminating',
    ],
  ])('%s', (...[, given, mark, status]) => {
    expect(projectPod(pod(given))).toMatchObject({ mark, status })
  })

  it('with its restarts, and whether a container ran before', () => {
    const lastState = { terminated: { exitCode: 1 } }
    const view = projectPod(pod({ status: { phase: 'Running', ...container({ running: {} }, { lastState }) } }))
    expect(view.restarts).toBe(3)
    expect(view.containers[0]).toMatchObject({ hasPrevious: true, status: 'Running' })
  })
})

it('a node has the requests of the pods that have not ended, and usage only where it is measured', () => {
  const node = { metadata: { name: 'node' }, status: { allocatable: { cpu: '2', memory: '1Gi' } } } as unknown as Node
  const requests = { cpu: '500m', memory: '1Mi' }
  const spec = {
    containers: [{ name: 'c', resources: { requests } }],
    initContainers: [{ name: 'i', resources: { requests: { cpu: '1' } } }],
  }
  const pods = [pod({ spec }), pod({ spec, status: { phase: 'Succeeded' } })]
  const view = projectNode(node, pods, undefined)
  expect(view.cpu).toEqual({ allocatable: 2000, requested: 1000 })
  expect(view.memory.requested).toBe(1024 * 1024)
  expect(view.pods).toHaveLength(2)
  expect(projectNode(node, [], { cpu: '250m' }).cpu.used).toBe(250)
})

it.each([
  ['ReplicaSet', 'web-5d9', '5d9', { kind: 'Deployment', name: 'web' }],
  ['ReplicaSet', 'web', undefined, { kind: 'ReplicaSet', name: 'web' }],
  ['ReplicaSet', 'web-5d9', 'abc', { kind: 'ReplicaSet', name: 'web-5d9' }],
  ['StatefulSet', 'db', '5d9', { kind: 'StatefulSet', name: 'db' }],
])('a pod of %s %s with the hash %s is one of %j', (kind, name, hash, owner) => {
  const node = { metadata: { name: 'node' } } as unknown as Node
  const metadata = {
    ownerReferences: [
      { kind: 'Other', name: 'other' },
      { kind, name, controller: true },
    ],
    ...(hash && { labels: { 'pod-template-hash': hash } }),
  }
  expect(projectNode(node, [pod({ metadata })], undefined).pods[0]?.owner).toEqual(owner)
})
