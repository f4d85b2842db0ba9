/** Actions of other instances, as the Events on their objects carry them: the only trace of them without a shared store. */
import { z } from 'zod'
import type { Event } from '@/lib/kube/kinds/event'
import type { Stop } from '@/lib/std/clock'
import { activitySchema } from '@/lib/view/schemas/activity'
import type { Informer } from '@/server/kube/informer'
import type { AuditRecord } from './audit'

/** What the console is called as the source of Events. */
export const COMPONENT = 'evenkeel-console'
/** Annotation of an Event: the record of the action, as far as all users may see it who see the Event. */
const RECORD_ANNOTATION = 'console.evenkeel.io/activity'
const LONGEST = 8192

const carried = activitySchema
  .pick({ user: true, via: true, endpoint: true, summary: true, requestId: true, durationMs: true })
  .extend({
    id: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z-[0-9a-z]{1,16}-[0-9a-z]{1,16}$/),
    status: z.number().int().min(200).max(299),
  })

/** The annotations of the Event about an action. */
export function eventAnnotations(record: AuditRecord): Record<string, string> {
  const { id, user, via, endpoint, summary, requestId, durationMs, status } = record
  return { [RECORD_ANNOTATION]: JSON.stringify({ id, user, via, endpoint, summary, requestId, durationMs, status }) }
}

/**
 * The record that an Event carries; undefined without one that can be read. Whoever may create Events can write one, so it
 * is marked as reported, is about the object of the Event only, and is never written to the audit log.
 */
export function recordOfEvent({ metadata, source, involvedObject }: Event): AuditRecord | undefined {
  const text = metadata.annotations?.[RECORD_ANNOTATION]
  const { apiVersion, kind, namespace, name, uid } = involvedObject
  if (source?.component !== COMPONENT || text === undefined || text.length > LONGEST) return undefined
  if (apiVersion === undefined || kind === undefined || name === undefined) return undefined
  const parsed = carried.safeParse(parseJson(text))
  if (!parsed.success) return undefined
  const object = { apiVersion, kind, name, ...(namespace && { namespace }), ...(uid && { uid }) }
  const at = parsed.data.id.slice(0, '2026-01-01T00:00:00.000Z'.length)
  return { ...parsed.data, at, object, changes: [], result: 'accepted', reported: true, key: '', groups: [] }
}

/** Tells the actions of all Events, those that are there first. */
export function followEventRecords(events: Informer<Event>, tell: (record: AuditRecord) => void): Stop {
  return events.onChange((change) => {
    const record = change.type === 'deleted' ? undefined : recordOfEvent(change.object)
    if (record) tell(record)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
