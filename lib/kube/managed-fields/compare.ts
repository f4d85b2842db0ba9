/** What changes from one state of a value to the next, as sets of fields. */
import { isFields } from '@/lib/std/fields'
import { deepEqual } from '@/lib/std/equal'
import {
  ANY,
  definite,
  type DefiniteType,
  type FieldType,
  fieldType,
  itemType,
  type ListType,
  type MapType,
} from './field-type'
import { type FieldSet, LEAF, nodeOf } from './field-set'
import { everythingIn } from './fields-of'
import { fieldElement } from './path-element'
import { type Fields, isVoid, itemsByElement } from './value'

export interface Changes {
  /** Fields that are new or have another value. */
  touched: FieldSet
  /** Fields that are gone. */
  removed: FieldSet
}

/** Compares two values. Parts that are the same object in both are skipped. */
export function compareValues(live: unknown, next: unknown, type: FieldType): Changes {
  const { touched, removed } = compare(live, next, type)
  return { touched: touched ?? LEAF, removed: removed ?? LEAF }
}

interface Found {
  touched?: FieldSet | undefined
  removed?: FieldSet | undefined
}

const NOTHING: Found = {}
const TOUCHED: Found = { touched: LEAF }

function compare(live: unknown, next: unknown, type: FieldType): Found {
  if (live === next) return NOTHING
  if (live === undefined) return { touched: everythingIn(next, type) }
  if (next === undefined) return { removed: everythingIn(live, type) }
  const before = definite(type, live)
  const after = definite(type, next)
  if (before.form !== after.form && live !== null && next !== null) return replaced(live, next, type)
  const own = next === null ? before : after
  if (isLeaf(own) || (isVoid(live) && isVoid(next))) return deepEqual(live, next) ? NOTHING : TOUCHED
  return own.form === 'list' ? compareItems(live, next, own) : compareFields(live, next, own as MapType)
}

function isLeaf(type: DefiniteType): boolean {
  switch (type.form) {
    case 'scalar':
      return true
    case 'list':
      return type.relation === 'atomic'
    case 'map':
      return type.atomic
  }
}

/** A value of one form in place of a value of another. */
function replaced(live: unknown, next: unknown, type: FieldType): Found {
  return { touched: everythingIn(next, type), removed: nodeOf(false, everythingIn(live, type)) }
}

function compareFields(live: unknown, next: unknown, type: MapType): Found {
  const [before, after] = [asFields(live), asFields(next)]
  const found: Found = {}
  for (const name of Object.keys(after)) {
    if (after[name] === undefined) continue
    const changes = compare(own(before, name), after[name], fieldType(type, name) ?? ANY)
    if (changes !== NOTHING) note(found, fieldElement(name), changes)
  }
  for (const name of Object.keys(before)) {
    if (before[name] === undefined || own(after, name) !== undefined) continue
    note(found, fieldElement(name), compare(before[name], undefined, fieldType(type, name) ?? ANY))
  }
  return found
}

/** Items that occur more than once have no fields of their own: they change together. */
function compareItems(live: unknown, next: unknown, type: ListType): Found {
  const [before, after] = [itemsByElement(live, type), itemsByElement(next, type)]
  const items = itemType(type)
  const found: Found = {}
  for (const [element, values] of after) note(found, element, compareSame(before.get(element) ?? [], values, items))
  for (const [element, values] of before) {
    if (!after.has(element)) note(found, element, compareSame(values, [], items))
  }
  return found
}

function compareSame(before: readonly unknown[], after: readonly unknown[], type: FieldType): Found {
  if (before.length < 2 && after.length < 2) return compare(before[0], after[0], type)
  if (before.length > 1 && after.length > 1) return deepEqual(before, after) ? NOTHING : TOUCHED
  if (before.length > 1) return { ...(after.length > 0 && compare(undefined, after[0], type)), removed: LEAF }
  return { ...(before.length > 0 && compare(before[0], undefined, type)), touched: LEAF }
}

function note(found: Found, element: string, { touched, removed }: Found): void {
  if (touched) found.touched = grow(found.touched, element, touched)
  if (removed) found.removed = grow(found.removed, element, removed)
}

function grow(set: FieldSet | undefined, element: string, node: FieldSet): FieldSet {
  const grown = (set ?? {}) as Record<string, FieldSet>
  grown[element] = node
  return grown
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
