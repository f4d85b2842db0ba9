/** The fields that a value mentions. */
import { isFields } from '@/lib/std/fields'
import { definite, type FieldType, fieldType, ANY, isNamed, itemType, type ListType, type MapType } from './field-type'
import { type FieldSet, LEAF, SELF } from './field-set'
import { fieldElement } from './path-element'
import { isVoid, itemsByElement } from './value'

/**
 * The fields owned by a sender of `value`: leaves, list items and map entries. A declared field is owned only through
 * its children.
 */
export function fieldsOf(value: unknown, type: FieldType): FieldSet {
  return collect(value, type, { everything: false, member: false }) ?? LEAF
}

/** Returns all fields of a value, including the value itself: the fields that appear and disappear with it. */
export function everythingIn(value: unknown, type: FieldType): FieldSet {
  return collect(value, type, { everything: true, member: true }) ?? LEAF
}

interface Mode {
  everything: boolean
  /** Reports whether the value itself is in the set. */
  member: boolean
}

function collect(value: unknown, type: FieldType, mode: Mode): FieldSet | undefined {
  const own = definite(type, value)
  if (own.form === 'scalar' || value === null) return LEAF
  if (own.form === 'list') return own.relation === 'atomic' ? LEAF : collectItems(value, own, mode)
  if (own.atomic || isVoid(value)) return LEAF
  return isFields(value) ? collectFields(value, own, mode) : undefined
}

function collectFields(value: Readonly<Record<string, unknown>>, type: MapType, mode: Mode): FieldSet | undefined {
  const out: Record<string, FieldSet> = {}
  let filled = false
  if (mode.member) out[SELF] = LEAF
  for (const [name, child] of Object.entries(value)) {
    if (child === undefined) continue
    const member = mode.everything || !isNamed(type, name)
    const found = collect(child, fieldType(type, name) ?? ANY, { everything: mode.everything, member })
    if (found === undefined) continue
    out[fieldElement(name)] = found
    filled = true
  }
  return settle(out, filled, mode)
}

function collectItems(value: unknown, type: ListType, mode: Mode): FieldSet | undefined {
  const out: Record<string, FieldSet> = {}
  let filled = false
  if (mode.member) out[SELF] = LEAF
  const own = itemType(type)
  for (const [element, items] of itemsByElement(value, type)) {
    const single = items.length > 1 ? undefined : collect(items[0], own, { everything: mode.everything, member: true })
    out[element] = single ?? LEAF
    filled = true
  }
  return settle(out, filled, mode)
}

function settle(out: FieldSet, filled: boolean, { member }: Mode): FieldSet | undefined {
  if (filled) return out
  return member ? LEAF : undefined
}
