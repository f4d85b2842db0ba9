/** The queue of a namespace, from the cache. */
import { divideNamespaces } from '@/lib/domain/queue'
import { queue as queueKind, type QueueObject } from '@/lib/kube/kinds/queue'
import type { Informers } from '@/server/kube/informer'

type Ownership = ReturnType<typeof divideNamespaces>

export interface QueueLookup {
  /** Resolves when the cache is complete. */
  whenSynced(): Promise<void>
  /** The queue of a namespace. One that is being deleted takes no new workloads. */
  queueOf(namespace: string): QueueObject | undefined
  /** All namespaces that have one, sorted. */
  namespaces(): string[]
}

/** Follows the copy of the queues; who owns what is worked out once after each change. */
export function createQueueLookup(informers: Informers): QueueLookup {
  const queues = informers.of(queueKind)
  let known: Ownership | undefined
  queues.onChange(() => {
    known = undefined
  })
  const ownership = (): Ownership => (known ??= divideNamespaces(queues.list()))
  const queueOf = (namespace: string): QueueObject | undefined => {
    const queue = queues.get(ownership().ownerOf.get(namespace) ?? '')
    return queue?.metadata.deletionTimestamp ? undefined : queue
  }
  return {
    whenSynced: () => queues.whenSynced(),
    queueOf,
    namespaces: () => [...ownership().ownerOf.keys()].filter(queueOf).toSorted(),
  }
}
