/** Server-side apply: the resulting object and its field owners. */
import { deepEqual } from '@/lib/std/equal'
import { kubeError } from '../errors'
import { conflictError, type Conflicts, conflictsBeyond } from './conflict'
import { entryOf, ownerId, type Owners } from './entry'
import { difference, differenceBelow, type FieldSet, intersection, isEmpty, union, unionOf } from './field-set'
import type { FieldType } from './field-type'
import { fieldsOf } from './fields-of'
import { mergeValues } from './merge'
import { reconcileOwners } from './reconcile'
import { removeFields, withNamedFields } from './remove'
import { type Author, changesByVersion, ownable, type Transition, withoutChanges } from './update'

export interface Application extends Pick<Transition, 'live' | 'typeIn' | 'unreadableIn' | 'ignored'> {
  /** The applied configuration, valid for the type of its version. */
  config: unknown
  owners: Owners
  author: Author
  /** Take fields from others instead of refusing. */
  force: boolean
  /** Fields that may be taken without force. */
  yielded?: () => FieldSet
}

export interface Applied {
  next: unknown
  owners: Owners
}

/**
 * Applies a configuration. The applier owns exactly what it applies; fields that it applied before and omits now are
 * removed, unless another writer owns them, too. Throws 409 if others own changed fields and `force` is not set.
 */
export function applyFields(application: Application): Applied {
  const { live, config, author, typeIn, ignored } = application
  const type = requireType(typeIn, author.apiVersion)
  for (const { apiVersion } of application.owners) refuseUnreadable(application, live, { apiVersion, where: '' })
  const owners = reconcileOwners(application.owners, live, typeIn)
  const id = ownerId(author)
  const last = owners.find((entry) => ownerId(entry) === id)
  const others = owners.filter((entry) => entry !== last)
  const own = entryOf(author, differenceBelow(fieldsOf(config, type), ignored), last?.time)
  const merged = mergeValues(live, config, type)
  if (last && !isEmpty(last.fieldsV1)) refuseUnreadableMerge(application, merged, { last, others })
  const next = last ? prune(merged, { last, owners: [...others, own], typeIn }) : merged
  for (const { apiVersion } of others)
    refuseUnreadable(application, next, { apiVersion, where: 'failed to convert new object: ' })
  const changes = changesByVersion({ live, next, typeIn, ignored })
  const left = withoutConflicts(others, changes, application)
  const time = deepEqual(live, next) ? last?.time : author.now
  const mine = ownable(own.fieldsV1)
  return { next, owners: isEmpty(mine) ? left : [...left, entryOf(author, mine, time)] }
}

interface Reading {
  apiVersion: string
  /** What is done meanwhile, for the refusal. */
  where: string
}

/** Owners in another version are compared in that version, which may not be able to hold the object (500). */
function refuseUnreadable({ author, unreadableIn }: Application, value: unknown, { apiVersion, where }: Reading): void {
  const why = apiVersion === author.apiVersion ? undefined : unreadableIn?.(apiVersion, value)
  if (why !== undefined) throw kubeError(500, '', `${where}${why}`)
}

function refuseUnreadableMerge(
  application: Application,
  merged: unknown,
  { last, others }: { last: Owners[number]; others: Owners },
): void {
  const failed = 'failed to prune fields: failed'
  refuseUnreadable(application, merged, {
    apiVersion: last.apiVersion,
    where: `${failed} to convert merged object to last applied version: `,
  })
  for (const { apiVersion } of others)
    refuseUnreadable(application, merged, {
      apiVersion,
      where: `${failed} add back owned items: failed to convert merged object at version ${apiVersion}: `,
    })
}

function withoutConflicts(
  others: Owners,
  changes: ReturnType<typeof changesByVersion>,
  { force, yielded }: Application,
): Owners {
  if (!force) {
    const conflicts = conflictsOf(others, changes)
    const refused = conflicts.length > 0 && yielded ? conflictsBeyond(conflicts, yielded()) : conflicts
    if (refused.length > 0) throw conflictError(refused)
  }
  return withoutChanges(others, changes)
}

function conflictsOf(others: Owners, changes: ReturnType<typeof changesByVersion>): Conflicts {
  return others.flatMap((entry) => {
    const change = changes(entry.apiVersion)
    const fieldsV1 = change && intersection(entry.fieldsV1, change.touched)
    return fieldsV1 && !isEmpty(fieldsV1) ? [{ ...entry, fieldsV1 }] : []
  })
}

interface Pruning {
  /** What the applier owned before. */
  last: Owners[number]
  /** All owners, with the applier's new fields. */
  owners: Owners
  typeIn: Transition['typeIn']
}

/** Removes fields that the applier no longer applies and that no other manager owns. Unowned fields stay. */
function prune(merged: unknown, { last, owners, typeIn }: Pruning): unknown {
  const type = typeIn(last.apiVersion)
  if (!type || isEmpty(last.fieldsV1)) return merged
  const all = withNamedFields(fieldsOf(merged, type), type)
  const mine = withNamedFields(last.fieldsV1, type)
  let pruned = removeFields(merged, mine, type)
  for (const [version, owned] of ownedByVersion(owners, last.apiVersion)) {
    const own = typeIn(version)
    if (!own) continue
    const kept = union(named(pruned, own), withNamedFields(owned, own))
    pruned = removeFields(merged, difference(named(merged, own), kept), own)
  }
  const gone = difference(all, named(pruned, type))
  return removeFields(merged, intersection(gone, mine), type)
}

function named(value: unknown, type: FieldType): FieldSet {
  return withNamedFields(fieldsOf(value ?? {}, type), type)
}

/** What is owned, version by version, `first` before the others. */
function ownedByVersion(owners: Owners, first: string): Map<string, FieldSet> {
  const sets = new Map<string, FieldSet[]>()
  const sorted = owners.toSorted((a, b) => Number(b.apiVersion === first) - Number(a.apiVersion === first))
  for (const { apiVersion, fieldsV1 } of sorted) {
    const known = sets.get(apiVersion)
    if (known) known.push(fieldsV1)
    else sets.set(apiVersion, [fieldsV1])
  }
  return new Map([...sets].map(([version, all]) => [version, unionOf(all)]))
}

function requireType(typeIn: Transition['typeIn'], apiVersion: string): FieldType {
  const type = typeIn(apiVersion)
  if (!type) throw new Error(`the version ${apiVersion} in which something is applied is not served`)
  return type
}
