/** Events as `events.k8s.io/v1` shows them: the same objects as the events of the core group. */
import { ownField } from '@/lib/std/fields'
import { defineKind, type Kind } from '../kind'
import type { UnknownObject } from '../object'
import { int32, object, string, time } from '../schema'
import { event } from './event'
import { objectReference } from './object-reference'

/** Fields that have another name here, with their name in the core group. */
const RENAMED: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
}
const RENAMED_BACK = Object.fromEntries(Object.entries(RENAMED).map(([here, there]) => [there, here]))

function renamed(object: UnknownObject, apiVersion: string, names: Readonly<Record<string, string>>): UnknownObject {
  if (object.apiVersion === apiVersion) return object
  const fields = Object.entries(object).map(([name, value]) => [ownField(names, name) ?? name, value] as const)
  return { ...(Object.fromEntries(fields) as UnknownObject), apiVersion }
}

/** The core group always names the reporter, this one where there is one. */
function withoutEmptyReporter(event: UnknownObject): UnknownObject {
  const { reportingController, reportingInstance, ...rest } = event as UnknownObject & Record<string, unknown>
  return {
    ...rest,
    ...(reportingController !== '' && reportingController !== undefined && { reportingController }),
    ...(reportingInstance !== '' && reportingInstance !== undefined && { reportingInstance }),
  } as UnknownObject
}

const definition = defineKind({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: event.plural,
  shortNames: event.shortNames,
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object({
    action: string(),
    deprecatedCount: int32(),
    deprecatedFirstTimestamp: time(),
    deprecatedLastTimestamp: time(),
    deprecatedSource: object({ component: string(), host: string() }),
    eventTime: string({ format: 'date-time' }),
    note: string(),
    reason: string(),
    regarding: objectReference,
    related: objectReference,
    reportingController: string(),
    reportingInstance: string(),
    series: object({ count: int32(), lastObservedTime: string({ format: 'date-time' }) }),
    type: string(),
  }),
})

export const eventV1: Kind = {
  ...definition,
  storedAs: {
    group: '',
    version: 'v1',
    read: (object) => withoutEmptyReporter(renamed(object, 'events.k8s.io/v1', RENAMED_BACK)),
    write: (object) => renamed(object, 'v1', RENAMED),
  },
}
