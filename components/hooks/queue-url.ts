/** Addresses of the queue pages, and the act that an address has open. */
import { type UrlChanges, withChanges } from './url-state'

/** What the panel beside a queue is open for. `new` needs no queue; `release` and `class` are about one workload, `of`. */
export const QUEUE_ACTIONS = ['hold', 'resume', 'release', 'class', 'edit', 'delete', 'new'] as const
export type QueueAction = (typeof QUEUE_ACTIONS)[number]

/** The act that an address names, if it is one. */
export const parseAction = (value: string | undefined): QueueAction | undefined =>
  QUEUE_ACTIONS.find((act) => act === value)

/** The list of queues. */
export const queuesHref = (changes: UrlChanges = {}): string => withChanges('/queues', '', changes)

/** The page of a queue, by `namespace/name`. */
export const queueHref = (id: string, changes: UrlChanges = {}): string =>
  withChanges('/queues/detail', '', { queue: id, ...changes })

/** Namespace and name of an id; undefined when it is none. */
export function parseQueueId(id: string | undefined): { namespace: string; name: string } | undefined {
  const [namespace, name, ...rest] = (id ?? '').split('/')
  return namespace && name && rest.length === 0 ? { namespace, name } : undefined
}
