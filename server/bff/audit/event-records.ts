/**
 * Actions of other instances, read from the Events on their objects: without a shared store these are the only source.
 */
import { z } from 'zod'
import type { Event } from '@/lib/kube/kinds/event'
import type { Stop } from '@/lib/std/clock'
import { activitySchema } from '@/lib/view/schemas/activity'
import type { Informer } from '@/server/kube/informer'
import type { AuditRecord } from './audit'

/** The source component of the console's Events. */
export const COMPONENT = 'evenkeel-console'
/** Annotation of an Event: the part of the audit record that all users who see the Event may see. */
const RECORD_ANNOTATION = 'console.evenkeel.io/activity'
const LONGEST = 8192

const carried = activitySchema
  .pick({ user: true, via: true, endpoint: true, summary: true, requestId: true, durationMs: true })
  .extend({
    id: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z-[0-9a-z]{1,16}-[0-9a-z]{1,16}$/),
    status: z.number().int().min(200).max(299),
  })

/** Returns the annotations of the Event for an action. */
export function eventAnnotations(record: AuditRecord): Record<string, string> {
  const { id, user, via, endpoint, summary, requestId, durationMs, status } = record
  return { [RECORD_ANNOTATION]: JSON.stringify({ id, user, via, endpoint, summary, requestId, durationMs, status }) }
}

/**
 * Returns the record in an Event; undefined without a readable one. Every user who may create Events can forge one, so
 * it is marked as reported, refers only to the object of the Event, and is never written to the audit log.
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

/** Reports the actions in all Events, existing ones first. */
export function followEventRecords(events: Informer<Event>, notify: (record: AuditRecord) => void): Stop {
  return events.onChange((change) => {
    const record = change.type === 'deleted' ? undefined : recordOfEvent(change.object)
    if (record) notify(record)
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
