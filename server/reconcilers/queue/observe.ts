/** Reads all queues and the other input of a plan, from the caches and the latest own writes. */
import { QUEUE_ANNOTATION, type QueueObjects } from '@/lib/domain/queue'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { federatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import { priorityClass } from '@/lib/kube/kinds/priority-class'
import { queue as queueKind, type QueueObject } from '@/lib/kube/kinds/queue'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { EpochMs } from '@/lib/std/clock'
import type { Informers } from '@/server/kube/informer'
import type { QueueMemory } from './memory'

export interface Observed extends QueueObjects {
  queues: readonly QueueObject[]
  bindings: readonly ResourceBinding[]
}

export const NOTED = 'queue/noted'

/** Indexes the bindings that a queue suspended. Idempotent. */
export function indexNoted(informers: Informers): void {
  informers
    .of(resourceBinding)
    .addIndex(NOTED, ({ metadata }) => (metadata.annotations?.[QUEUE_ANNOTATION] ? ['yes'] : []))
}

/** `quotasServed`: false if the control plane does not serve FederatedResourceQuota. */
export function observe(
  informers: Informers,
  memory: QueueMemory,
  { now, elapsed, quotasServed }: { now: EpochMs; elapsed: number; quotasServed: boolean },
): Observed {
  return {
    now,
    queues: memory.queues.over(informers.of(queueKind).list()),
    bindings: memory.bindings.over(informers.of(resourceBinding).list()),
    quotas: quotasServed ? informers.of(federatedResourceQuota).list() : [],
    clusters: informers.of(clusterKind).list(),
    priorityClasses: informers.of(priorityClass).list(),
    ended: memory.ended.at(elapsed),
  }
}
