/** Assigns namespaces to queues. */
import type { QueueObject } from '@/lib/kube/kinds/queue'
import { objectKey } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import { because } from '../plan'
import type { QueueReason } from './snapshot-model'

/** Returns the namespaces that a queue claims: its own, and those in its spec. Sorted, without duplicates. */
export function namespacesAskedFor({ metadata, spec }: QueueObject): string[] {
  return [...new Set([metadata.namespace ?? '', ...(spec?.namespaces ?? [])])].filter(Boolean).sort()
}

export interface Ownership {
  /** Key of the queue by namespace. */
  ownerOf: ReadonlyMap<string, string>
  /** Why a queue is invalid, by its key. */
  invalid: ReadonlyMap<string, QueueReason>
}

/**
 * Assigns every namespace to one queue. If two queues claim a namespace, the older one gets it (by creationTimestamp,
 * then by key), and the other queue is invalid as a whole. Admission rejects such a queue, so it was created while the
 * webhook was unavailable. A queue that is being deleted keeps its namespaces until it is gone.
 */
export function divideNamespaces(queues: readonly QueueObject[]): Ownership {
  const ownerOf = new Map<string, string>()
  const invalid = new Map<string, QueueReason>()
  for (const queue of queues.toSorted(byAge)) {
    const asked = namespacesAskedFor(queue)
    const taken = asked.filter((namespace) => ownerOf.has(namespace))
    if (taken.length > 0) invalid.set(objectKey(queue), overlap(taken, ownerOf, queue))
    else for (const namespace of asked) ownerOf.set(namespace, objectKey(queue))
  }
  return { ownerOf, invalid }
}

/**
 * Names the other queue only if it is in a namespace that this queue claims, because it may belong to another tenant.
 */
function overlap(taken: readonly string[], ownerOf: ReadonlyMap<string, string>, queue: QueueObject): QueueReason {
  const asked = new Set(namespacesAskedFor(queue))
  const owners = new Set(taken.map((namespace) => ownerOf.get(namespace)!))
  const named = [...owners].filter((key) => asked.has(key.slice(0, key.indexOf('/'))))
  const args = { count: taken.length, namespaces: taken }
  return because(
    'Overlap',
    named.length > 0
      ? message('queues.invalid.Overlap', { ...args, owners: named })
      : message('queues.invalid.OverlapHidden', args),
  )
}

function byAge(a: QueueObject, b: QueueObject): number {
  const [left, right] = [a, b].map((queue) => `${queue.metadata.creationTimestamp} ${objectKey(queue)}`) as [
    string,
    string,
  ]
  return left < right ? -1 : left > right ? 1 : 0
}
