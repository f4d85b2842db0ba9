/** Short forms for tests of the rules of queues. */
import { english } from '@/lib/messages/english'
import { formatTime } from '@/lib/std/clock'
import { QUEUE_ANNOTATION, waitMessage } from '..'
import { START, type Tenants } from './tenants'

/** So many seconds after the start. */
export const at = (seconds: number): string => formatTime(START + seconds * 1000)
/** The queue of most tests. */
export const LINE = 'red/line'
export const noted = { [QUEUE_ANNOTATION]: LINE }
export const free = { suspended: false } as const
/** What the scheduler said. */
export const verdict = (status: 'True' | 'False', reason: string) => ({
  conditions: [{ type: 'Scheduled', status, reason, message: '', lastTransitionTime: at(0) }],
})
/** Why a binding waits. */
export const waitOf = (tenants: Tenants, key: string) => {
  const entry = tenants
    .plan()
    .queues.flatMap(({ pendingWorkloads }) => pendingWorkloads)
    .find(({ binding }) => binding.key === key)
  return entry && { code: entry.why.code, text: english.of(waitMessage(entry.why)) }
}
/** Who is released in this pass, in order. */
export const released = (tenants: Tenants): string[] => tenants.plan().releases.map(({ binding }) => binding.key)
/** What a pass would do. */
export const steps = (tenants: Tenants): string[] =>
  tenants
    .plan()
    .steps.filter(({ act }) => act !== 'Guard')
    .map(({ act, reason, details }) => `${act} ${details.name} ${reason.code}`)
/** The hold of the queue. */
export const holdOf = (tenants: Tenants) => tenants.plan().queues.find(({ queue }) => queue.key === LINE)!.hold
