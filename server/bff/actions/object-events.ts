/** Events of one object, read as the user; a user who may not read events can still read the object. */
import { hasReason } from '@/lib/kube/errors'
import type { Event } from '@/lib/kube/kinds'
import type { KubeObject } from '@/lib/kube/object'
import type { EventView } from '@/lib/view/member-model'
import { refusalOf } from '../http/refusal'

const MAX_EVENTS = 100
/** Events of objects without a namespace are in this namespace. */
const DEFAULT = 'default'

/** Returns the query for the events of an object. */
export const eventsQuery = ({ metadata: { namespace = DEFAULT, uid } }: KubeObject) => ({
  namespace,
  fieldSelector: `involvedObject.uid=${uid}`,
  limit: MAX_EVENTS,
})

interface Events {
  events: EventView[]
  eventsRefused?: string
}

/** Returns the events, latest first, or why they are refused. */
export async function eventsOf(listed: Promise<readonly Event[]>): Promise<Events> {
  try {
    const newest = (a: EventView, b: EventView): number => (b.lastAt ?? '').localeCompare(a.lastAt ?? '')
    return { events: (await listed).map(projectEvent).sort(newest) }
  } catch (error) {
    if (!hasReason(error, 'Forbidden')) throw error
    return { events: [], eventsRefused: refusalOf(error)?.message ?? '' }
  }
}

function projectEvent(event: Event): EventView {
  const { type = '', reason = '', message: text = '', source, count = 1, lastTimestamp, eventTime } = event
  const lastAt = lastTimestamp ?? eventTime ?? event.metadata.creationTimestamp
  return { type, reason, message: text, source: source?.component ?? '', count, ...(lastAt && { lastAt }) }
}
