/** Shorthands for tests of queue rules. */
import { english } from '@/lib/messages/english'
import { formatTime } from '@/lib/std/clock'
import { QUEUE_ANNOTATION, waitMessage } from '..'
import { START, type Tenants } from './tenants'

/** Returns the time that many seconds after the start. */
export const at = (seconds: number): string => formatTime(START + seconds * 1000)
/** The queue of most tests. */
export const LINE = 'red/line'
export const noted = { [QUEUE_ANNOTATION]: LINE }
export const free = { suspended: false } as const
/** A result of the scheduler. */
export const verdict = (status: 'True' | 'False', reason: string) => ({
  conditions: [{ type: 'Scheduled', status, reason, message: '', lastTransitionTime: at(0) }],
})
/** Returns why a binding is pending. */
export const waitOf = (tenants: Tenants, key: string) => {
  const entry = tenants
    .plan()
    .queues.flatMap(({ pendingWorkloads }) => pendingWorkloads)
    .find(({ binding }) => binding.key === key)
  return entry && { code: entry.why.code, text: english.of(waitMessage(entry.why)) }
}
/** Returns the bindings admitted by the next plan, in order. */
export const released = (tenants: Tenants): string[] => tenants.plan().releases.map(({ binding }) => binding.key)
/** Returns the steps of the next plan. */
export const steps = (tenants: Tenants): string[] =>
  tenants
    .plan()
    .steps.filter(({ act }) => act !== 'Guard')
    .map(({ act, reason, details }) => `${act} ${details.name} ${reason.code}`)
/** Returns the hold of the queue. */
export const holdOf = (tenants: Tenants) => tenants.plan().queues.find(({ queue }) => queue.key === LINE)!.hold
