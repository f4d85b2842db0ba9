/** Why a workload is not scheduled. Apart from queues, because every workload may have it. */
import type { Message } from '@/lib/messages/message'

/** Why one workload is not scheduled; on its row and its page. */
export interface HeldView {
  /** `queue`: pending in it. `hold`: its queue is on hold. `suspended`: the binding itself was suspended. */
  by: 'queue' | 'hold' | 'suspended'
  /** Who suspended it, why and until when, or why it is pending. */
  message: Message
  queue?: string
  who?: string
  /** `who` is the workload's policy: the suspension is lifted there, and not on the binding. */
  policy?: true
  since?: string
  until?: string
  position?: number
}
