/** Words for tests of the rules of queues. */
import { formatTime } from '@/lib/std/clock'
import { explainWaiting, QUEUE_ANNOTATION } from '..'
import { START, type Tenants } from './tenants'

/** So many seconds after the start. */
export const at = (seconds: number): string => formatTime(START + seconds * 1000)
/** The queue of most tests. */
export const LINE = 'red/line'
export const noted = { [QUEUE_ANNOTATION]: LINE }
export const free = { suspended: false } as const
/** What the scheduler said. */
export const verdict = (status: 'True' | 'False', reason: string) =>
  ({ conditions: [{ type: 'Scheduled', status, reason, message: '', lastTransitionTime: at(0) }] })
/** Why a binding waits. */
export const waitOf = (tenants: Tenants, key: string) => explainWaiting(tenants.plan(), key)?.reason
/** Who is released in this pass, in order. */
export const released = (tenants: Tenants): string[] => tenants.plan().releases.map(({ binding }) => binding.key)
/** What a pass would do. */
export const steps = (tenants: Tenants): string[] =>
  tenants.plan().steps.filter(({ act }) => act !== 'Guard').map(({ act, reason, details }) =>
    `${act} ${details.name} ${reason.code}`)
/** How true the hold of the queue is. */
export const holdOf = (tenants: Tenants) => tenants.plan().queues.find(({ queue }) => queue.key === LINE)!.hold
