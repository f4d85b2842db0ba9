/** Owners that were written down when the schema divided a value in another way than it does now. */
import { isFields, ownField } from '@/lib/std/fields'
import { type Owners, withFields } from './entry'
import { type FieldSet, holdsItself, isEmpty, LEAF, nodeOf, SELF } from './field-set'
import { definite, type FieldType } from './field-type'
import { typeAt } from './remove'
import { itemsByElement } from './value'

/**
 * The owners by current types: an owner of a part of a now atomic field owns all of it. An owner of a whole that is now
 * granular owns no part of it: this cannot be distinguished from an owner that lost all parts to others.
 */
export function reconcileOwners(
  owners: Owners,
  live: unknown,
  typeIn: (apiVersion: string) => FieldType | undefined,
): Owners {
  const reconciled = owners.map((entry) => {
    const type = typeIn(entry.apiVersion)
    return type ? withFields(entry, reconcileBelow(entry.fieldsV1, live, type)) : entry
  })
  return reconciled.every((entry, index) => entry === owners[index]) ? owners : reconciled
}

function reconcileBelow(set: FieldSet, value: unknown, type: FieldType): FieldSet {
  let out: Record<string, FieldSet> | undefined
  const valueAt = readerOf(value, type)
  for (const element of Object.keys(set)) {
    if (element === SELF) continue
    const node = set[element]!
    const own = reconcile(node, valueAt(element), typeAt(type, element))
    if (own !== node) (out ??= { ...set })[element] = own
  }
  return out ?? set
}

function reconcile(node: FieldSet, value: unknown, type: FieldType): FieldSet {
  const own = definite(type, value)
  if (own.form === 'scalar') return node
  const atomic = own.form === 'list' ? own.relation === 'atomic' : own.atomic
  if (atomic) return type.form === 'any' || isEmpty(node) ? node : LEAF
  return isEmpty(node) ? node : nodeOf(holdsItself(node), reconcileBelow(node, value, type))!
}

/** Returns a function that finds the value of a path element; the items of a list are indexed once for all elements. */
function readerOf(value: unknown, type: FieldType): (element: string) => unknown {
  const own = definite(type, value)
  if (own.form === 'list') {
    const items = itemsByElement(value, own)
    return (element) => items.get(element)?.[0]
  }
  return (element) => (isFields(value) ? ownField(value, element.slice(2)) : undefined)
}
