/** Who owns which field of an object, written down with every change of it. */
import { fillRequired } from '@/lib/kube/go-encoding'
import type { Kind } from '@/lib/kube/kind'
import {
  type Author,
  type FieldSet,
  findMismatches,
  LEAF,
  type ManagedFieldsEntry,
  objectTypeOf,
  type Owners,
  ownUpdate,
  readEntries,
  setOf,
  shown,
  type Transition,
  zeroObject,
} from '@/lib/kube/managed-fields'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { pruneUnknown } from '@/lib/kube/schema-prune'
import { strategyOf } from '@/lib/kube/strategy'
import { formatTime } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { ownField } from '@/lib/std/fields'
import { omit } from '@/lib/std/omit'
import type { Scope } from '../api'
import { typedStatus } from './rules'
import type { Writer } from './writer'

/** The stored entries of an object; none without known owners. */
export function ownersOf(metadata: Partial<ObjectMeta>): Owners {
  return (metadata.managedFields ?? []) as Owners
}

/**
 * Returns the entries of a new object: its writer owns all fields that it sends, including defaults. Returns undefined
 * for objects of Evenkeel's own controllers, which are tracked from the first apply on.
 */
export function ownersOfNew(scope: Scope, draft: UnknownObject, writer: Writer): ManagedFieldsEntry[] | undefined {
  if (writer.untracked) return undefined
  const { kind } = scope.resource
  const next = bare(strategyOf(kind).applyDefaults(draft))
  const given = readEntries(draft.metadata.managedFields ?? []) ?? []
  const transition = { ...readerOf(scope), live: zeroObject(kind), next, ignored: resetFields(kind, undefined) }
  return shown(ownUpdate(given, transition, authorOf(scope, { manager: writer.manager, operation: 'Update' })))
}

/** A write to be accounted for. */
export interface OwnedChange {
  old: UnknownObject
  /** As the client wants it, before admission. */
  next: UnknownObject
  writer: Writer
  subresource: string | undefined
}

/**
 * The entries of a changed object. Those that the client sends along count, if they can be read; an empty entry,
 * or an empty list for a built-in kind, makes the server forget them. An object without owners gets none by an update.
 */
export function ownersOfChange(scope: Scope, { old, next, writer, subresource }: OwnedChange): unknown[] | undefined {
  const before = subresource ? ownersOf(old.metadata) : startingOwners(scope.resource.kind, next.metadata, old.metadata)
  if (before.length === 0) return undefined
  const { kind } = scope.resource
  const completed = strategyOf(kind).applyDefaults(next)
  const plain = bare(subresource === 'status' ? typedObject(scope, completed, writer) : completed)
  // What no owner can name has none: items of a list without their keys, and values that do not fit.
  if (findMismatches(plain, objectTypeOf(kind), 'whole') !== undefined) return undefined
  // An apply may have made an item whose key is null, which no later write can read.
  if (before.some(namesNull) && findMismatches(bare(old), objectTypeOf(kind), 'whole') !== undefined) return undefined
  const reader = readerOf(scope)
  const isUnreadable = ({ apiVersion }: Owners[number]): boolean =>
    apiVersion !== scope.resource.apiVersion
    && [bare(old), plain].some((state) => reader.unreadableIn?.(apiVersion, state) !== undefined)
  if (before.some(isUnreadable)) return undefined
  const transition = { ...reader, live: bare(old), next: plain, ignored: resetFields(kind, subresource) }
  const author = authorOf(scope, { manager: writer.manager, operation: 'Update', subresource })
  const after = ownUpdate(before, transition, author)
  return after === old.metadata.managedFields ? old.metadata.managedFields : shown(after)
}

/** A spec that a status comes with is not validated: fields of it that are required may be missing, and have their zeros. */
function typedObject(scope: Scope, object: UnknownObject, writer: Writer): UnknownObject {
  const { origin, schema } = scope.resource.kind
  const spec = origin === 'builtin' ? schema.properties?.spec : undefined
  const filled = spec && object.spec !== undefined ? { ...object, spec: fillRequired(object.spec, spec) } : object
  return typedStatus(scope, filled, writer)
}

const NULL_KEY = /"k:\{[^}]*:null[,}]/

/** True for an owner of an item of a list whose key is null. */
function namesNull({ fieldsV1 }: Owners[number]): boolean {
  return NULL_KEY.test(JSON.stringify(fieldsV1).replaceAll('\\"', ''))
}

function startingOwners({ origin }: Kind, next: Partial<ObjectMeta>, old: Partial<ObjectMeta>): Owners {
  const { managedFields: sent } = next
  // Where objects have no Go type, an empty list is like none.
  const isAbsent = sent === undefined || (sent.length === 0 && origin !== 'builtin')
  if (isAbsent || sent === old.managedFields) return ownersOf(old)
  if (asksToForget(sent)) return []
  if (deepEqual(sent, old.managedFields)) return ownersOf(old)
  return readEntries(sent) ?? ownersOf(old)
}

function asksToForget(sent: readonly unknown[]): boolean {
  return sent.length === 0 || (sent.length === 1 && deepEqual(sent[0], {}))
}

/** The object without `managedFields`, which have no owner. */
export function bare(object: UnknownObject): UnknownObject {
  if (object.metadata.managedFields === undefined) return object
  return { ...object, metadata: omit(object.metadata, 'managedFields') }
}

/** The object with these owners and no others. */
export function withOwners(object: UnknownObject, managedFields: unknown[] | undefined): UnknownObject {
  if (object.metadata.managedFields === managedFields) return object
  return { ...object, metadata: { ...omit(object.metadata, 'managedFields'), ...(managedFields && { managedFields }) } }
}

/** True when two states differ at most in the times of their owners: nothing worth writing. */
export function sameButTimes(a: UnknownObject, b: UnknownObject): boolean {
  const [left, right] = [a.metadata.managedFields, b.metadata.managedFields]
  if (left === right) return deepEqual(a, b)
  return deepEqual(left?.map(withoutTime), right?.map(withoutTime)) && deepEqual(bare(a), bare(b))
}

function withoutTime(entry: unknown): unknown {
  return omit(entry as ManagedFieldsEntry, 'time')
}

/** Reads objects in every version of their kind that is served. */
export function readerOf({ keyspace, resource }: Scope): Pick<Transition, 'typeIn' | 'unreadableIn'> {
  const versions = resource.kind.storedAs?.versions
  if (versions) return customReader(versions, resource)
  return {
    typeIn: (apiVersion) => {
      if (apiVersion === resource.apiVersion) return objectTypeOf(resource.kind)
      const [version, group] = apiVersion.split('/').toReversed() as [string, string?]
      const other =
        (group ?? '') === resource.kind.group
          ? keyspace.registry.find(resource.kind.group, version, resource.kind.plural)
          : undefined
      return other && objectTypeOf(other.kind)
    },
  }
}

/** A definition knows all versions of its kind. A conversion webhook is not asked once for each owner. */
function customReader(
  versions: ReadonlyMap<string, Kind>,
  { prepare }: Scope['resource'],
): Pick<Transition, 'typeIn' | 'unreadableIn'> {
  return {
    typeIn: (apiVersion) => {
      const kind = versions.get(apiVersion)
      return kind && objectTypeOf(kind)
    },
    unreadableIn: (apiVersion, value) => {
      const kind = versions.get(apiVersion)
      if (!kind) return `request to convert CR to an invalid group/version: ${apiVersion}`
      return prepare ? undefined : findMismatches(pruneUnknown(value, kind.schema).value, objectTypeOf(kind), 'whole')
    },
  }
}

/** Who writes in this request. */
export function authorOf(
  { api, resource }: Scope,
  { manager, operation, subresource }: Pick<Author, 'manager' | 'operation'> & { subresource?: string | undefined },
): Author {
  return {
    manager: manager || 'unknown',
    operation,
    apiVersion: resource.apiVersion,
    ...(subresource && { subresource }),
    now: formatTime(api.clock.now()),
  }
}

const resets = new WeakMap<Kind, Map<string, FieldSet>>()

/** Fields that a write cannot change: the status through the object, and the rest through the status. */
export function resetFields(kind: Kind, subresource: string | undefined): FieldSet {
  const known = resets.get(kind) ?? new Map<string, FieldSet>()
  resets.set(kind, known)
  const fields = known.get(subresource ?? '') ?? findResetFields(kind, subresource)
  known.set(subresource ?? '', fields)
  return fields
}

function findResetFields(kind: Kind, subresource: string | undefined): FieldSet {
  if (subresource === undefined || subresource === 'finalize')
    return kind.subresources.status ? setOf(['f:status']) : LEAF
  if (subresource === 'approval') return setOf(['f:spec'], ['f:status', 'f:certificate'])
  if (subresource !== 'status') return LEAF
  if (kind.origin === 'crd') return setOf(['f:metadata'], ['f:spec'])
  return setOf(['f:spec'], ...(ownField(RESET_BY_STATUS, kind.kind) ?? []).map((field) => ['f:metadata', `f:${field}`]))
}

/** Metadata that a status of these kinds cannot change. */
const RESET_BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['labels'],
  Pod: ['deletionTimestamp', 'ownerReferences'],
  CustomResourceDefinition: [],
}
