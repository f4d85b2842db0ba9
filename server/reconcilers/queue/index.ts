/** The queue controller: admits workloads in order, holds queues, and resumes them in stages. See README.md. */
import { findCondition } from '@/lib/kube/conditions'
import type { Kind } from '@/lib/kube/kind'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import { federatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import { priorityClass } from '@/lib/kube/kinds/priority-class'
import { queue as queueKind, type QueueObject } from '@/lib/kube/kinds/queue'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { deepEqual } from '@/lib/std/equal'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { createQueueMemory } from './memory'
import { indexNoted } from './observe'
import { reconcileQueues } from './reconcile'

export interface QueueOptions {
  /** Queues written concurrently. Default 16. */
  concurrency?: number
  /** Interval between plans over time, and from the last write of a plan to the next one; see `Pace`. Default 50 ms. */
  passEveryMs?: number
  /** Minimum interval between status writes of one queue, unless urgent. Default 1 s. */
  reportEveryMs?: number
  /**
   * Default true. False if the control plane does not serve FederatedResourceQuota, so that its cache is not awaited.
   */
  quotasServed?: boolean
}

/** All queues share one key, because one queue may borrow what another does not use. */
const EVERYTHING = 'queues'
const everything = (): string[] => [EVERYTHING]

export function queueController(context: ReconcilerContext, options: QueueOptions = {}): Controller {
  const { concurrency = 16, passEveryMs = 50, reportEveryMs = 1000, quotasServed = true } = options
  const memory = createQueueMemory({ reportEveryMs, passEveryMs })
  indexNoted(context.informers)
  return {
    name: 'queue',
    retry: { baseMs: 100, maxMs: 10_000 },
    watches: [
      watch({ kind: queueKind, keys: everything, relevant: isAsked }),
      watch({ kind: resourceBinding, keys: everything, relevant: concernsQueues }),
      watch({ kind: clusterKind, keys: everything, relevant: changesCapacity }),
      watch({ kind: priorityClass as Kind, keys: everything }),
      ...(quotasServed ? [watch({ kind: federatedResourceQuota as Kind, keys: everything })] : []),
    ],
    // Clears the metric, because another process may lead the controller afterwards.
    start: () => () => context.metrics?.unadmitted(new Map()),
    reconcile: () => reconcileQueues(context, { concurrency, passEveryMs, quotasServed, memory }),
  }
}

/** Ignores own status writes. */
function isAsked(change: Change<QueueObject>): boolean {
  if (change.type !== 'updated') return true
  const {
    old: { metadata: before },
    object: { metadata: after },
  } = change
  return (
    before.generation !== after.generation
    || before.deletionTimestamp !== after.deletionTimestamp
    || !deepEqual(before.annotations, after.annotations)
    || !deepEqual(before.finalizers, after.finalizers)
  )
}

/** Ignores status reports of members. */
function concernsQueues(change: Change<ResourceBinding>): boolean {
  if (change.type !== 'updated') return true
  const { old, object } = change
  return (
    old.metadata.generation !== object.metadata.generation
    || old.metadata.deletionTimestamp !== object.metadata.deletionTimestamp
    || !deepEqual(old.metadata.annotations, object.metadata.annotations)
    || old.status?.lastScheduledTime !== object.status?.lastScheduledTime
    || !deepEqual(scheduledOf(old), scheduledOf(object))
  )
}

function scheduledOf({ status }: ResourceBinding): unknown {
  return findCondition(status?.conditions, 'Scheduled')
}

function changesCapacity(change: Change<Cluster>): boolean {
  return change.type !== 'updated' || !deepEqual(roomOf(change.old), roomOf(change.object))
}

function roomOf({ metadata, status }: Cluster): unknown {
  return [metadata.deletionTimestamp, findCondition(status?.conditions, 'Ready')?.status, status?.resourceSummary]
}
