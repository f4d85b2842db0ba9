/** Finds bindings that are placed without admission by their queue. */
import { message, type Message } from '@/lib/messages/message'
import { rolesOf } from './binding-roles'
import type { QueueFacts } from './snapshot-model'

/** Maximum number of names in a message, which counts all of them. */
const MAX_NAMED = 5

/** Returns how many bindings of a queue run without its admission. */
export const countUnadmitted = ({ bindings }: Pick<QueueFacts, 'bindings'>): number =>
  rolesOf(bindings).unadmitted.length

/** Returns the alarm of a queue; undefined while every running workload was admitted. */
export function unadmittedMessage({ bindings }: Pick<QueueFacts, 'bindings'>): Message | undefined {
  const found = rolesOf(bindings)
    .unadmitted.map(({ key }) => key)
    .toSorted()
  if (found.length === 0) return undefined
  const others = found.length - MAX_NAMED
  const names = [...found.slice(0, MAX_NAMED), ...(others > 0 ? [message('queues.more', { count: others })] : [])]
  return message('queues.condition.AdmissionBypassed', { count: found.length, names })
}
