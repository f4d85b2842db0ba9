import { expect, test } from 'vitest'
import type { Pod } from '@/lib/kube/kinds'
import { countPods } from './pod-state'
import { runningStatus, unschedulableStatus } from './pod-status'

const NOW = Date.UTC(2026, 0, 1)
const pod = (name: string, rest: Partial<Pod> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'nginx' }] },
  ...rest,
})
const running = (name: string, ready: boolean, at = NOW): Pod => ({
  ...pod(name),
  status: runningStatus(pod(name), ready, at),
})

test('pods are available when they have been ready for long enough', () => {
  const pods = [running('a', true, NOW - 10_000), running('b', true, NOW), running('c', false), pod('d')]
  expect(countPods(pods, 0, NOW)).toEqual({ ready: 2, available: 2 })
  expect(countPods(pods, 5, NOW)).toEqual({ ready: 2, available: 1, nextMs: 5000 })
})

test('transition times of a pod move with what changes', () => {
  const before = running('a', true)
  const after = runningStatus(before, false, NOW + 60_000)
  const since = Object.fromEntries(
    (after.conditions ?? []).map(({ type, lastTransitionTime }) => [type, lastTransitionTime]),
  )
  expect(since).toMatchObject({
    Ready: '2026-01-01T00:01:00Z',
    ContainersReady: '2026-01-01T00:01:00Z',
    Initialized: '2026-01-01T00:00:00Z',
  })
  expect(after.startTime).toBe(before.status?.startTime)
  expect(after.podIP).toBe(before.status?.podIP)
})

test('a pod without a node says why', () => {
  expect(unschedulableStatus(pod('a'), '0/1 nodes are available: 1 Insufficient cpu.', NOW)).toEqual({
    phase: 'Pending',
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '0/1 nodes are available: 1 Insufficient cpu.',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  })
})
