/** Taking fields away. */
import { isFields } from '@/lib/std/fields'
import { ANY, definite, type FieldType, fieldType, isNamed, itemType, type ListType, type MapType } from './field-type'
import { type FieldSet, holdsItself, isEmpty, LEAF, nodeOf, SELF } from './field-set'
import { fieldElement } from './path-element'
import { elementOf, type Fields, Unidentified } from './value'

/**
 * Returns `value` without the fields of a set; undefined when no field remains. A list or map that is not in the set
 * and loses all its fields is empty then, and so is an atomic one with a field in the set.
 */
export function removeFields(value: unknown, set: FieldSet, type: FieldType): unknown {
  const own = definite(type, value)
  if (own.form === 'scalar') return value
  if (own.form === 'list') return own.relation === 'atomic' ? undefined : removeItems(value, set, own)
  return own.atomic || !isFields(value) ? undefined : removeEntries(value, set, own)
}

function removeEntries(value: Fields, set: FieldSet, type: MapType): unknown {
  const kept: [string, unknown][] = []
  for (const [name, child] of Object.entries(value)) {
    const remaining = remainder(child, set[fieldElement(name)], fieldType(type, name) ?? ANY)
    if (remaining !== undefined) kept.push([name, remaining])
  }
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

function removeItems(value: unknown, set: FieldSet, type: ListType): unknown {
  if (!Array.isArray(value)) return undefined
  const items = itemType(type)
  const kept = (value as unknown[]).flatMap((item) => {
    const element = elementOf(item, type)
    const remaining = remainder(item, element instanceof Unidentified ? undefined : set[element], items)
    return remaining === undefined ? [] : [remaining]
  })
  return kept.length > 0 ? kept : undefined
}

function remainder(value: unknown, node: FieldSet | undefined, type: FieldType): unknown {
  if (node === undefined) return value
  return holdsItself(node) ? undefined : (removeFields(value, node, type) ?? emptied(value))
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return []
  return isFields(value) ? {} : null
}

/** The set with every field that the schema names and that has fields of the set below it. */
export function withNamedFields(set: FieldSet, type: FieldType): FieldSet {
  const out: Record<string, FieldSet> = {}
  for (const element in set) {
    const node = set[element]!
    if (element === SELF) out[element] = node
    // A leaf needs no further steps; long sets have only leaves.
    else if (isEmpty(node)) out[element] = LEAF
    else {
      const member = holdsItself(node) || isNamedIn(type, element)
      out[element] = nodeOf(member, withNamedFields(node, typeAt(type, element)))!
    }
  }
  return out
}

function isNamedIn(type: FieldType, element: string): boolean {
  return type.form === 'map' && element.startsWith('f:') && isNamed(type, element.slice(2))
}

/** The type behind a path element. */
export function typeAt(type: FieldType, element: string): FieldType {
  if (type.form === 'list') return itemType(type)
  return type.form === 'map' ? (fieldType(type, element.slice(2)) ?? ANY) : ANY
}
