/** The queue controller: admits in order, holds, and resumes in stages. See README.md. */
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
  /** Queues written to at the same time. Default 16. */
  concurrency?: number
  /** The shortest time between two passes. Default 50 ms. */
  passEveryMs?: number
  /** The shortest time between two writes of the status of one queue, where it is not urgent. Default 1 s. */
  reportEveryMs?: number
  /** Default true. False where the control plane has no FederatedResourceQuota: its cache is not waited for then. */
  quotasServed?: boolean
}

/** All queues are decided on together: what one leaves unused another may borrow. */
const EVERYTHING = 'queues'
const everything = (): string[] => [EVERYTHING]

export function queueController(context: ReconcilerContext, options: QueueOptions = {}): Controller {
  const { concurrency = 16, passEveryMs = 50, reportEveryMs = 1000, quotasServed = true } = options
  const memory = createQueueMemory({ reportEveryMs })
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
    // The metric ends with the loop: another process may lead it then.
    start: () => () => context.metrics?.unadmitted(new Map()),
    reconcile: () => reconcileQueues(context, { concurrency, passEveryMs, quotasServed, memory }),
  }
}

/** Our own status is no news. */
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

/** What members report of a workload does not concern queues. */
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
