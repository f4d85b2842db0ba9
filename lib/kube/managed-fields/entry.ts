/** The entries of `metadata.managedFields`: who owns which fields. */
import { isFields, setField } from '@/lib/std/fields'
import { type FieldSet, LEAF, SELF, sorted } from './field-set'
import { sortElements, normalElement } from './path-element'

/** A field owner: one manager may have several entries, distinguished by everything but time and fields. */
export interface Identity {
  manager: string
  operation: 'Apply' | 'Update'
  /** The version in which the fields are named. */
  apiVersion: string
  subresource?: string
}

/** `metav1.ManagedFieldsEntry`. */
export interface ManagedFieldsEntry extends Identity {
  /** Time of the owner's last change, in RFC 3339, UTC, whole seconds. Absent without a change. */
  time?: string
  fieldsType: 'FieldsV1'
  fieldsV1: FieldSet
}

/** All owners of an object; identities are unique. */
export type Owners = readonly ManagedFieldsEntry[]

/** An owner's name as text, equal for entries that are the same owner: an applier is one in all versions. */
export function ownerId({ manager, operation, apiVersion, subresource }: Identity): string {
  return JSON.stringify({
    manager: manager === '' ? undefined : manager,
    operation,
    apiVersion: operation === 'Apply' ? undefined : apiVersion,
    subresource,
  })
}

/** The entry of an owner. */
export function entryOf(
  { manager, operation, apiVersion, subresource }: Identity,
  fields: FieldSet,
  time?: string,
): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(subresource && { subresource }),
  }
}

/** The same owner with other fields. */
export function withFields(entry: ManagedFieldsEntry, fieldsV1: FieldSet): ManagedFieldsEntry {
  return entry.fieldsV1 === fieldsV1 ? entry : { ...entry, fieldsV1 }
}

/** Parses `managedFields` of a client; undefined if an entry is invalid, in which case the whole list is ignored. */
export function readEntries(list: readonly unknown[]): Owners | undefined {
  const owners = new Map<string, ManagedFieldsEntry>()
  for (const value of list) {
    const entry = readEntry(value)
    if (!entry) return undefined
    owners.set(ownerId(entry), entry)
  }
  return [...owners.values()]
}

function readEntry(value: unknown): ManagedFieldsEntry | undefined {
  if (!isFields(value)) return undefined
  const { manager = '', operation, apiVersion, time, fieldsType, fieldsV1 = {}, subresource } = value
  if (operation !== 'Apply' && operation !== 'Update') return undefined
  if (typeof apiVersion !== 'string' || apiVersion === '' || fieldsType !== 'FieldsV1') return undefined
  if (typeof manager !== 'string' || !isTextOrAbsent(time) || !isTextOrAbsent(subresource)) return undefined
  const fields = readFields(fieldsV1)
  return fields && entryOf({ manager, operation, apiVersion, ...(subresource && { subresource }) }, fields, time)
}

function readFields(value: unknown): FieldSet | undefined {
  if (!isFields(value)) return undefined
  const fields: Record<string, FieldSet> = {}
  for (const [element, below] of Object.entries(value)) {
    const name = element === SELF ? SELF : normalElement(element)
    const node = name === SELF ? LEAF : readFields(below)
    if (name === undefined || node === undefined) return undefined
    setField(fields, name, node)
  }
  return fields
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

/** As the API shows them: appliers first, then by time, name, version and subresource; their fields by name. */
export function sortEntries(owners: Owners): ManagedFieldsEntry[] {
  const entries = owners.map((entry) => withFields(entry, sorted(entry.fieldsV1, sortElements)))
  if (entries.length < 2) return entries
  return entries.toSorted(
    (a, b) =>
      compare(a.operation, b.operation)
      || compare(a.time ?? '', b.time ?? '')
      || compare(a.manager, b.manager)
      || compare(a.apiVersion, b.apiVersion)
      || compare(a.subresource ?? '', b.subresource ?? ''),
  )
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
