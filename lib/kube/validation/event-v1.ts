/** The rules of `events.k8s.io/v1`, which are stricter than those of the core group. */
import { deepEqual } from '@/lib/std/equal'
import { ownField } from '@/lib/std/fields'
import { type FieldError, invalidField, requiredField } from '../field-error'
import type { UnknownObject } from '../object'
import { checkQualifiedName } from './formats'

const LONGEST = 128
const MAX_NOTE_LENGTH = 1024

/**
 * Validates the required fields of new events: reporter, instance, action, reason and note. `controller` and `note`
 * name fields of this version.
 */
export function validateReporter(event: UnknownObject, controller: string, note: string): FieldError[] {
  const text = (name: string): string => (typeof event[name] === 'string' ? event[name] : '')
  return [
    ...(text(controller) === '' ? [requiredField(controller)] : []),
    ...checkQualifiedName(text(controller)).map((problem) => invalidField(controller, text(controller), problem)),
    ...['reportingInstance', 'action', 'reason'].flatMap((name) => {
      if (text(name) === '') return [requiredField(name)]
      return text(name).length > LONGEST ? [invalidField(name, '', `can have at most ${LONGEST} characters`)] : []
    }),
    ...(text(note).length > MAX_NOTE_LENGTH
      ? [invalidField('message', '', `can have at most ${MAX_NOTE_LENGTH} characters`)]
      : []),
  ]
}

/** An event is about an object of its namespace; one with a time of its own may be about an object elsewhere. */
export function isAboutItsNamespace(
  { eventTime, metadata }: UnknownObject & { eventTime?: unknown },
  about: string,
): boolean {
  const { namespace = '' } = metadata
  if (about === '') return namespace === 'default' || (Boolean(eventTime) && namespace === 'kube-system')
  return Boolean(eventTime) || about === namespace
}

/** A new event says when, who, what and why, and leaves the fields of the core group alone. */
export function validateEventV1(event: UnknownObject, old?: UnknownObject): FieldError[] {
  const { type } = event as UnknownObject & { type?: string }
  const told = validateTold(event)
  if (old) return deepEqual(event.series, old.series) ? told : [...told, ...validateSeries(event)]
  return [
    ...told,
    ...validateSeries(event),
    ...(event.eventTime ? [] : [requiredField('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidField('type', '', `has invalid value: ${type ?? ''}`)]),
    ...OLD_FIELDS.flatMap(([name, word]) => (isSet(event[name]) ? [invalidField(word, '', 'needs to be unset')] : [])),
  ]
}

/** What holds for an event however it is written. */
function validateTold(event: UnknownObject): FieldError[] {
  const about = (event as { regarding?: { namespace?: string } }).regarding?.namespace ?? ''
  return [
    ...(isAboutItsNamespace(event, about)
      ? []
      : [invalidField('involvedObject.namespace', about, 'does not match event.namespace')]),
    ...(event.eventTime ? validateReporter(event, 'reportingController', 'note') : []),
  ]
}

function validateSeries(event: UnknownObject): FieldError[] {
  const series = event.series as { count?: number; lastObservedTime?: string } | undefined
  return [
    ...(series && (series.count ?? 0) < 2 ? [invalidField('series.count', '', 'should be at least 2')] : []),
    ...(series && !series.lastObservedTime ? [requiredField('series.lastObservedTime')] : []),
  ]
}

/** Fields that only the core group may set, with the names by which a refusal calls them. */
const OLD_FIELDS = [
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['deprecatedSource', 'source'],
] as const

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === 0) return false
  return typeof value !== 'object' || Object.values(value).some((part) => part !== '' && part !== undefined)
}

/** In the order in which they are judged. */
const FIXED = ['regarding', 'reason', 'note', 'type', 'eventTime', 'action', 'reportingController', 'reportingInstance']

/** An event is repeated by its series; what it says stays. */
export function validateEventV1Update(next: UnknownObject, old: UnknownObject): FieldError[] {
  return FIXED.filter((name) => !deepEqual(next[name] ?? '', old[name] ?? '')).map((name) => {
    const value = name === 'regarding' ? inGo(next[name]) : (next[name] ?? (name === 'eventTime' ? null : ''))
    return invalidField(ownField(OLD_NAMES, name) ?? name, value, 'field is immutable')
  })
}

/** Refusals call fields by their names in the core group. */
const OLD_NAMES: Readonly<Record<string, string>> = { regarding: 'involvedObject', note: 'message' }

/** A reference as a struct of Go. */
function inGo(reference: unknown): object {
  const given = (reference ?? {}) as Readonly<Record<string, unknown>>
  return Object.fromEntries(REFERENCE.map(([word, name]) => [word, given[name] ?? '']))
}

const REFERENCE = [
  ['Kind', 'kind'],
  ['Namespace', 'namespace'],
  ['Name', 'name'],
  ['UID', 'uid'],
  ['APIVersion', 'apiVersion'],
  ['ResourceVersion', 'resourceVersion'],
  ['FieldPath', 'fieldPath'],
] as const
