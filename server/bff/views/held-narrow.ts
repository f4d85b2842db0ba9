/** What keeps a workload back, for readers who may not list the queue that does. */
import { parseKey } from '@/lib/kube/object'
import type { HeldView } from '@/lib/view/held-model'
import type { Scope } from '../access/access'
import { QUEUES } from '../access/resources'

const narrowed = new WeakMap<HeldView, HeldView>()

/** Who suspended the binding itself is written on it; which queue keeps it back, why, and who else waits there is not. */
export function heldAsSeen(held: HeldView | undefined, scope: Scope): HeldView | undefined {
  if (held?.queue === undefined) return held
  const { namespace = '' } = parseKey(held.queue)
  if (scope.sees({ ...QUEUES, namespace })) return held
  const known = narrowed.get(held)
  if (known) return known
  const view = held.by === 'suspended' ? withoutQueue(held) : { by: held.by, sentence: UNSEEN }
  narrowed.set(held, view)
  return view
}

const UNSEEN = 'A queue keeps it back; which one, and why, your account may not read: it may not list queues there.'

function withoutQueue({ queue: _queue, position: _position, ...held }: HeldView): HeldView {
  return held
}
