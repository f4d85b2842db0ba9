/** Which queues the list shows, and the scale of their shares. */
import type { AmountView, QueueView } from '@/lib/view/queue-model'
import { selectBy } from '../hooks/filter'

/** The queues that the query keeps, in the order in which they came. */
export const selectQueues = selectBy(fieldsOf)

function fieldsOf({ id, namespaces, strategy, hold, head, state, pending, inFlight }: QueueView) {
  return {
    name: [id],
    ns: namespaces,
    strategy: [strategy],
    hold: hold ? ['yes', hold.state] : ['no'],
    by: [hold?.by ?? ''],
    head: [head?.ref.name ?? ''],
    state: [state.state],
    waiting: [pending > 0 ? 'yes' : 'no'],
    flight: [inFlight > 0 ? 'yes' : 'no'],
  }
}

/** What all queues of a list add up to. */
export interface QueueTotals {
  pending: number
  inFlight: number
  onHold: number
}

export function totalsOf(queues: readonly QueueView[]): QueueTotals {
  const sum = (amount: (queue: QueueView) => number): number =>
    queues.reduce((total, queue) => total + amount(queue), 0)
  return {
    pending: sum(({ pending }) => pending),
    inFlight: sum(({ inFlight }) => inFlight),
    onHold: sum(({ hold }) => (hold ? 1 : 0)),
  }
}

/** Shares are drawn up to one of these, so that bars can be compared and little is still visible. */
const SCALES = [0.05, 0.1, 0.2, 0.5, 1]

/** The length of a full bar: the smallest scale that holds every share and every fair share. */
export function shareScale(queues: readonly Pick<QueueView, 'share'>[]): number {
  const most = Math.max(0, ...queues.flatMap(({ share }) => (share ? [share.part, share.fair ?? 0] : [])))
  return SCALES.find((scale) => scale >= most) ?? most
}

/** Borrowed amounts first, then the fullest, then those without a limit. */
export function byFullness(amounts: readonly AmountView[]): AmountView[] {
  return amounts.toSorted(
    (a, b) =>
      Number(b.borrowed > 0) - Number(a.borrowed > 0)
      || fullness(b) - fullness(a)
      || (a.resource < b.resource ? -1 : 1),
  )
}

/** Returns the used part of the quota: -1 without a quota, and full use with a quota of 0. */
function fullness({ used, quota }: AmountView): number {
  if (quota === undefined) return -1
  return quota > 0 ? used / quota : used > 0 ? Infinity : 1
}
