/** How long one pass over many queues takes, from API objects to the plan. */
import type { QueueObject } from '@/lib/kube/kinds/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { formatTime } from '@/lib/std/clock'
import { QUEUE_ANNOTATION } from '@/lib/domain/queue/annotations'
import { planReleases } from '@/lib/domain/queue/plan-releases'
import { queueSnapshotOf, type QueueObjects } from '@/lib/domain/queue/snapshot'

export interface QueueBenchShape {
  queues: number
  /** Over all queues. */
  pending: number
  /** Replicas of one core each that every queue may have at a time. */
  quota: number
}

export interface QueueBenchReport extends QueueBenchShape {
  releases: number
  /** From new objects, and again after a change of one. */
  millisecondsToRead: number
  millisecondsToReadAgain: number
  /** Median of the planning alone. */
  millisecondsToPlan: number
  decisionsPerSecond: number
}

const START = Date.parse('2026-01-02T00:00:00Z')

/** Plans for queues of equal length, with half of the quota free in the last one. `nanoseconds` is a clock. */
export function benchQueues(shape: QueueBenchShape, nanoseconds: () => number): QueueBenchReport {
  const objects = objectsOf(shape)
  const millisecondsToRead = timed(nanoseconds, () => queueSnapshotOf(objects))
  const changed = { ...objects, bindings: objects.bindings.with(0, { ...objects.bindings[0]! }) }
  const millisecondsToReadAgain = timed(nanoseconds, () => queueSnapshotOf(changed))
  const snapshot = queueSnapshotOf(objects)
  const times = Array.from({ length: 9 }, () => timed(nanoseconds, () => planReleases(snapshot))).toSorted(
    (a, b) => a - b,
  )
  const millisecondsToPlan = times[4]!
  return {
    ...shape,
    releases: planReleases(snapshot).releases.length,
    millisecondsToRead,
    millisecondsToReadAgain,
    millisecondsToPlan,
    decisionsPerSecond: Math.round(shape.pending / (millisecondsToPlan / 1000)),
  }
}

function objectsOf({ queues, pending, quota }: QueueBenchShape): QueueObjects {
  const namespaces = Array.from({ length: queues }, (_, at) => `tenant-${String(at).padStart(3, '0')}`)
  return {
    now: START,
    quotas: [],
    clusters: [],
    priorityClasses: [],
    queues: namespaces.map((namespace) => queueOf(namespace, quota)),
    bindings: Array.from({ length: pending }, (_, at) => bindingOf(namespaces[at % queues]!, at)),
  }
}

function queueOf(namespace: string, quota: number): QueueObject {
  return {
    apiVersion: 'evenkeel.io/v1alpha1',
    kind: 'Queue',
    metadata: {
      name: 'line',
      namespace,
      uid: namespace,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: formatTime(START),
    },
    spec: { quota: { hard: { cpu: String(quota) } } },
  }
}

function bindingOf(namespace: string, at: number): ResourceBinding {
  const name = `job-${String(at).padStart(6, '0')}`
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name,
      namespace,
      uid: name,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: formatTime(START + (at % 997) * 1000),
      annotations: { [QUEUE_ANNOTATION]: `${namespace}/line` },
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name },
      replicas: 1 + (at % 3),
      placement: {},
      replicaRequirements: { resourceRequest: { cpu: '1', memory: '1Gi' } },
      schedulePriority: { priority: at % 5 },
      suspension: { scheduling: true },
    },
  }
}

function timed(nanoseconds: () => number, work: () => unknown): number {
  const start = nanoseconds()
  work()
  return Math.round((nanoseconds() - start) / 1e4) / 100
}
