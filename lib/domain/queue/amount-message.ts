/** Formats amounts of resources as messages: `1.5 CPU`, `2 GiB memory`, `7 replicas`. */
import { message, type Message, type Value } from '@/lib/messages/message'

/** Pseudo-resource that counts replicas. */
export const REPLICAS = 'replicas'

const NAMED = ['cpu', 'memory', 'storage', 'ephemeral-storage', REPLICAS] as const
const IN_BYTES = /^(memory|storage|ephemeral-storage|hugepages-.+)$/

const withoutPrefix = (resource: string): string => resource.replace(/^(requests|limits)\./, '')

/** Returns the name of a resource: `requests.cpu` is CPU. Extended resources keep their own name. */
export function resourceName(resource: string): Message | string {
  const plain = withoutPrefix(resource)
  const known = NAMED.find((name) => name === plain)
  return known === undefined ? plain : message(`queues.resource.${known}`)
}

/** Returns the number in the unit of its resource: CPU in cores, bytes with their unit. */
export function figureOf(resource: string, amount: number): Value {
  const plain = withoutPrefix(resource)
  if (plain === 'cpu') return { cpu: amount }
  return IN_BYTES.test(plain) ? { bytes: amount } : message('queues.amount.figure', { count: amount })
}

export function amountMessage(resource: string, amount: number): Message {
  return resource === REPLICAS
    ? message('queues.amount.replicas', { count: amount })
    : message('queues.amount.of', { amount: figureOf(resource, amount), resource: resourceName(resource) })
}

/** Returns one message per resource; a text renders them as a list. */
export const amountMessages = (amounts: Readonly<Record<string, number>>): Message[] =>
  Object.entries(amounts).map(([resource, amount]) => amountMessage(resource, amount))

/** Returns a message such as `1.5 of 2 CPU`. */
export const usageMessage = (resource: string, used: number, quota: number): Message =>
  message('queues.amount.usedOf', {
    used: figureOf(resource, used),
    quota: figureOf(resource, quota),
    resource: resourceName(resource),
  })
