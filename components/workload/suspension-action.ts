/** Whether a user may suspend or resume the scheduling of one workload, and if not, why. */
import { message, type Message } from '@/lib/messages'
import type { WorkloadView } from '@/lib/view/model'

export interface SuspensionAction {
  action: 'suspend' | 'resume'
  /** Why it is not possible for this workload; undefined when it is. */
  refusal?: Message
  /** The queue that decides instead, by id. */
  queue?: string
}

/**
 * The action that would change something. A pending workload is admitted by its queue; a scheduled one is not suspended,
 * because the control plane refuses that: its scaling and failover would stop.
 */
export function suspensionAction({ ref, binding, cells, held, suspended, scheduled }: WorkloadView): SuspensionAction {
  const action = suspended.scheduling ? 'resume' : 'suspend'
  if (binding.namespace === undefined) {
    return { action, refusal: message('suspension.clusterScoped', { kind: ref.kind }) }
  }
  if (held?.policy) return { action, refusal: held.message }
  if (held?.queue !== undefined && held.by !== 'suspended') {
    return { action, refusal: message('suspension.queueDecides', { queue: held.queue }), queue: held.queue }
  }
  if (action === 'suspend' && (scheduled?.status === 'True' || cells.some(({ role }) => role === 'placed'))) {
    return { action, refusal: message('suspension.alreadyScheduled') }
  }
  return { action }
}
