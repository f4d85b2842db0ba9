/** Reading values by their type. */
import { isFields } from '@/lib/std/fields'
import type { ListType } from './field-type'
import { keyElement, valueElement } from './path-element'

export type Fields = Readonly<Record<string, unknown>>

/** True for null, an empty list and an empty object. */
export function isVoid(value: unknown): boolean {
  if (value === null) return true
  if (Array.isArray(value)) return value.length === 0
  if (typeof value !== 'object') return false
  for (const _ in value) return false
  return true
}

/** An item of a list without a unique identity, and the reason. */
export class Unidentified {
  constructor(readonly why: string) {}
}

/** Returns the path element of an item of a list that is not atomic. */
export function elementOf(item: unknown, type: ListType): string | Unidentified {
  return type.relation === 'map' ? keyedElement(item, type) : setElement(item)
}

function keyedElement(item: unknown, { keys }: ListType): string | Unidentified {
  if (item === null) return new Unidentified('associative list with keys may not have a null element')
  if (!isFields(item)) return new Unidentified('associative list with keys may not have non-map elements')
  const given: [string, unknown][] = []
  for (const { name, absent } of keys) {
    const value = Object.hasOwn(item, name) ? item[name] : absent
    if (value !== undefined) given.push([name, value])
  }
  return given.length > 0
    ? keyElement(given)
    : new Unidentified(
        'associative list with keys has an element that omits all key fields '
          + `[${keys.map(({ name }) => JSON.stringify(name)).join(' ')}] `
          + "(and doesn't have default values for any key fields)",
      )
}

function setElement(item: unknown): string | Unidentified {
  if (item === null) return new Unidentified("associative list without keys has an element that's an explicit null")
  if (Array.isArray(item)) return new Unidentified('not supported: associative list with lists as elements')
  if (typeof item === 'object') {
    return new Unidentified("associative list without keys has an element that's a map type")
  }
  return valueElement(item)
}

/** Groups the items of a list by their path element, in order. Items without an identity are left out. */
export function itemsByElement(list: unknown, type: ListType): Map<string, unknown[]> {
  const items = new Map<string, unknown[]>()
  if (!Array.isArray(list)) return items
  for (const item of list) {
    const element = elementOf(item, type)
    if (element instanceof Unidentified) continue
    const same = items.get(element)
    if (same) same.push(item)
    else items.set(element, [item])
  }
  return items
}
