/** Whether scheduling of one workload may be suspended or resumed by hand, and if not, why. */
import type { WorkloadView } from '@/lib/view/model'

export interface SuspensionAct {
  action: 'suspend' | 'resume'
  /** Why it cannot be done to this workload; undefined when it can. */
  refusal?: string
  /** The queue that decides instead, by id. */
  queue?: string
}

/**
 * The action that would change something. What waits in a line is steered there; what has been scheduled is not suspended, as
 * the control plane refuses it: its scaling and failover would stop.
 */
export function suspensionAct({ ref, binding, cells, held, suspended, scheduled }: WorkloadView): SuspensionAct {
  const action = suspended.scheduling ? 'resume' : 'suspend'
  if (binding.namespace === undefined)
    return { action, refusal: `${ref.kind}s belong to no namespace; suspend their ClusterResourceBinding with kubectl.` }
  if (held?.policy) return { action, refusal: held.sentence }
  if (held?.queue !== undefined && held.by !== 'suspended')
    return { action, refusal: `Queue ${held.queue} decides when it goes on.`, queue: held.queue }
  if (action === 'suspend' && (scheduled?.status === 'True' || cells.some(({ role }) => role === 'placed'))) {
    return {
      action,
      refusal:
        'It has been scheduled, and the control plane refuses to suspend that: its scaling and failover would stop.',
    }
  }
  return { action }
}
