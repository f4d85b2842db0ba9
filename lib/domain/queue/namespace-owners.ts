/** Which namespace belongs to which queue. */
import type { QueueObject } from '@/lib/kube/kinds/queue'
import { objectKey } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import { because } from '../plan'
import type { QueueReason } from './snapshot-model'

/** The namespaces that a queue asks for: its own, and those it names. Sorted, once each. */
export function namespacesAskedFor({ metadata, spec }: QueueObject): string[] {
  return [...new Set([metadata.namespace ?? '', ...(spec?.namespaces ?? [])])].filter(Boolean).sort()
}

export interface Ownership {
  /** Key of the queue by namespace. */
  ownerOf: ReadonlyMap<string, string>
  /** Why a queue has nothing, by its key. */
  invalid: ReadonlyMap<string, QueueReason>
}

/**
 * Gives every namespace to one queue. Where two ask for the same, the older one has it (by creationTimestamp, then by
 * key), and the other one is invalid as a whole: admission refuses it, so it came while the webhook was away. A queue
 * that is being deleted keeps its namespaces until it is gone.
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

/** The other queue is named only where it lives in a namespace that this one asks for: it may be another tenant's. */
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
