import { ownField } from './fields'

/**
 * True when two JSON values are the same. A field that is `undefined` counts as absent; order counts in lists and not
 * in objects.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b)
  return !Array.isArray(b) && equalRecords(a as Fields, b as Fields)
}

type Fields = Readonly<Record<string, unknown>>

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]))
}

function equalRecords(a: Fields, b: Fields): boolean {
  for (const key of Object.keys(a)) if (!deepEqual(a[key], ownField(b, key))) return false
  for (const key of Object.keys(b)) if (b[key] !== undefined && ownField(a, key) === undefined) return false
  return true
}
