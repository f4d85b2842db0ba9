/** Updates field ownership after a write that is not an apply. */
import { type Changes, compareValues } from './compare'
import { entryOf, type Identity, type ManagedFieldsEntry, ownerId, type Owners, sortEntries, withFields } from './entry'
import { difference, differenceBelow, type FieldSet, isEmpty, LEAF, setOf, union, unionOf } from './field-set'
import type { FieldType } from './field-type'
import { reconcileOwners } from './reconcile'

/** Two states of an object, with its type in each known version. */
export interface Transition {
  live: unknown
  next: unknown
  /** Returns the type of the object in a version; undefined for one that is not served, whose owners are removed. */
  typeIn(apiVersion: string): FieldType | undefined
  /** Why a version cannot hold a value of another one; undefined if it can. */
  unreadableIn?(apiVersion: string, value: unknown): string | undefined
  /** Fields that this write cannot change. */
  ignored: FieldSet
}

/** Identity and time of a write. */
export interface Author extends Identity {
  /** RFC 3339, UTC, whole seconds. */
  now: string
}

/** How many owners by update an object has at most; the oldest share one entry beyond that. */
export const MAX_UPDATERS = 10
const ANCIENT = 'ancient-changes'

/** Fields without an owner: the server sets them, or they identify the object. */
const UNOWNED = setOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
)

/** What of a set can be owned. */
export function ownable(fields: FieldSet): FieldSet {
  return difference(fields, UNOWNED)
}

/** What changes in each version, found once. Undefined for a version that is not served. */
export function changesByVersion(transition: Transition): (apiVersion: string) => Changes | undefined {
  const found = new Map<string, Changes | undefined>()
  return (apiVersion) => {
    if (!found.has(apiVersion)) found.set(apiVersion, changesIn(transition, apiVersion))
    return found.get(apiVersion)
  }
}

function changesIn({ live, next, typeIn, ignored }: Transition, apiVersion: string): Changes | undefined {
  const type = typeIn(apiVersion)
  if (!type) return undefined
  const { touched, removed } = compareValues(live, next, type)
  return { touched: differenceBelow(touched, ignored), removed: differenceBelow(removed, ignored) }
}

/** The owners without changed fields: a field that another writer sets, or that is removed, is no longer theirs. */
export function withoutChanges(owners: Owners, changes: (apiVersion: string) => Changes | undefined): Owners {
  return owners.flatMap((entry) => {
    const change = changes(entry.apiVersion)
    if (!change) return []
    const left = difference(difference(entry.fieldsV1, change.touched), change.removed)
    return isEmpty(left) ? [] : [withFields(entry, left)]
  })
}

/**
 * The owners after an update: its author alone owns the changed fields. The time of an entry changes if its owner
 * gained a field.
 */
export function ownUpdate(owners: Owners, transition: Transition, author: Author): Owners {
  return afterUpdate(reconcileOwners(owners, transition.live, transition.typeIn), transition, author)
}

function afterUpdate(owners: Owners, transition: Transition, author: Author): Owners {
  const changes = changesByVersion(transition)
  const { touched, removed } = changes(author.apiVersion) ?? { touched: LEAF, removed: LEAF }
  if (isEmpty(touched) && isEmpty(removed)) return owners
  const others = withoutChanges(owners, changes)
  const gained = ownable(touched)
  return isEmpty(gained) ? others : capped(withGain(others, gained, author))
}

function withGain(owners: Owners, gained: FieldSet, author: Author): Owners {
  if (owners.length === 0) return [entryOf(author, gained, author.now)]
  const id = ownerId(author)
  const before = owners.find((entry) => ownerId(entry) === id)
  const fields = before ? union(before.fieldsV1, gained) : gained
  return [...owners.filter((entry) => entry !== before), entryOf(author, fields, author.now)]
}

/** Puts the oldest updaters of a version into one entry until there are few enough. */
function capped(owners: Owners): Owners {
  const updaters = owners.filter(({ operation }) => operation === 'Update')
  if (updaters.length <= MAX_UPDATERS) return owners
  const oldestFirst = updaters.toSorted((a, b) =>
    (a.time ?? '') < (b.time ?? '')
      ? -1
      : Number((a.time ?? '') > (b.time ?? '')) || (ownerId(a) < ownerId(b) ? -1 : 1),
  )
  const buckets = new Map<string, ManagedFieldsEntry[]>()
  let left = updaters.length
  for (const entry of oldestFirst) {
    if (left <= MAX_UPDATERS) break
    const bucket = buckets.get(entry.apiVersion)
    if (bucket) {
      bucket.push(entry)
      left -= 1
    } else buckets.set(entry.apiVersion, [entry])
  }
  const pools = [...buckets.values()].filter((bucket) => bucket.length > 1)
  const gone = new Set(pools.flat())
  return [...owners.filter((entry) => !gone.has(entry)), ...pools.map(pooled)]
}

/** The time is that of the youngest one. */
function pooled(bucket: readonly ManagedFieldsEntry[]): ManagedFieldsEntry {
  const { apiVersion, time } = bucket.at(-1)!
  const fields = unionOf(bucket.map(({ fieldsV1 }) => fieldsV1))
  return entryOf({ manager: ANCIENT, operation: 'Update', apiVersion }, fields, time)
}

/** The owners as they are shown; undefined when there are none. */
export function shown(owners: Owners): ManagedFieldsEntry[] | undefined {
  return owners.length > 0 ? sortEntries(owners) : undefined
}
