/** What keeps a workload back, for readers who may not list the queue that does. */
import { parseKey } from '@/lib/kube/object'
import type { HeldView } from '@/lib/view/held-model'
import type { Scope } from '../access/access'
import { QUEUES } from '../access/resources'

const narrowed = new WeakMap<HeldView, HeldView>()

/** The queue is named by the binding itself; who paused it, why, and who else waits there, only by the queue. */
export function heldAsSeen(held: HeldView | undefined, scope: Scope): HeldView | undefined {
  if (!held || held.by === 'suspended' || held.queue === undefined) return held
  const { namespace = '' } = parseKey(held.queue)
  if (scope.sees({ ...QUEUES, namespace })) return held
  const known = narrowed.get(held)
  if (known) return known
  const { by, queue } = held
  const view: HeldView = { by, queue, sentence: `The queue ${queue} keeps it back; why stands in the queue, which your account may not list.` }
  narrowed.set(held, view)
  return view
}
