/** The reason why a workload is not scheduled, for readers who may not list its queue. */
import { parseKey } from '@/lib/kube/object'
import { message } from '@/lib/messages'
import type { HeldView } from '@/lib/view/model'

const narrowed = new WeakMap<HeldView, HeldView>()

/**
 * The binding itself names the user who suspended it; the queue, the reason and the other workloads there are hidden.
 */
export function heldAsSeen(
  held: HeldView | undefined,
  seesQueuesIn: (namespace: string) => boolean,
): HeldView | undefined {
  if (held?.queue === undefined) return held
  const { namespace = '' } = parseKey(held.queue)
  if (seesQueuesIn(namespace)) return held
  const known = narrowed.get(held)
  if (known) return known
  const view =
    held.by === 'suspended' ? withoutQueue(held) : { by: held.by, message: message('queues.reason.hiddenQueue') }
  narrowed.set(held, view)
  return view
}

function withoutQueue({ queue: _queue, position: _position, ...held }: HeldView): HeldView {
  return held
}
