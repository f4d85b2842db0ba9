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
  const names = Object.keys(a)
  let isDense = true
  for (const name of names) {
    const value = a[name]
    isDense &&= value !== undefined
    // What a prototype has under that name is no JSON value, so it never is the same.
    if (value !== b[name] && !deepEqual(value, ownField(b, name))) return false
  }
  const others = Object.keys(b)
  // Each of the names is in `b` as well, so without another one they are all.
  if (isDense && others.length === names.length) return true
  return others.every((name) => b[name] === undefined || ownField(a, name) !== undefined)
}
