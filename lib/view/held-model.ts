/** What keeps a workload back. Apart from queues, because every workload may have it. */

/** What keeps one workload back; on its row and its page. */
export interface HeldView {
  /** `queue`: waits in a line. `hold`: its queue is paused. `suspended`: somebody suspended the binding itself. */
  by: 'queue' | 'hold' | 'suspended'
  /** One sentence: who, why and until when, or what it waits for. */
  sentence: string
  queue?: string
  who?: string
  /** `who` is the workload's policy: the suspension is lifted there, and not on the binding. */
  policy?: true
  since?: string
  until?: string
  position?: number
}
