/** Keeps the identity of unchanged content, so that caches and components can compare by reference. */
import { isFields, ownField, setField } from './fields'

type Fields = Record<string, unknown>

/**
 * Returns `next` with every part that equals its counterpart in `previous` replaced by that counterpart; `previous`
 * itself if all of it is equal. For plain JSON values. An absent field equals one that is `undefined`.
 */
export function shareStructure<T>(previous: unknown, next: T): T {
  // Of two equal strings the older one stays: the rows of a fleet would otherwise hold each text once more after a while.
  if (Object.is(previous, next)) return previous as T
  if (Array.isArray(previous) && Array.isArray(next)) return shareArray(previous, next) as T
  if (isFields(previous) && isFields(next)) return shareFields(previous, next) as T
  return next
}

/** Reports whether both are the same plain JSON value, as `shareStructure` compares them. */
export function sameStructure(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => sameStructure(item, b[at]))
  return isFields(a) && isFields(b) && sameFields(a, b)
}

function sameFields(a: Fields, b: Fields): boolean {
  return (
    Object.keys(b).every((name) => sameStructure(ownField(a, name), ownField(b, name)))
    && Object.keys(a).every((name) => ownField(a, name) === undefined || ownField(b, name) !== undefined)
  )
}

function shareArray(previous: unknown[], next: unknown[]): unknown[] {
  const shared = next.map((item, at) => shareStructure(previous[at], item))
  const same = shared.length === previous.length && shared.every((item, at) => Object.is(item, previous[at]))
  return same ? previous : shared
}

function shareFields(previous: Fields, next: Fields): Fields {
  const names = Object.keys(next)
  let same = true
  const held = names.map((name) => {
    const before = ownField(previous, name)
    const part = shareStructure(before, next[name])
    same &&= Object.is(part, before)
    return part
  })
  if (same && hasAll(next, previous)) return previous
  // A copy is as compact as `next` came from the parser; an object that grows field by field takes more memory.
  const shared: Fields = { ...next }
  for (const [at, name] of names.entries()) setField(shared, name, held[at])
  return shared
}

/** Reports whether `next` has every field of `previous`. */
function hasAll(next: Fields, previous: Fields): boolean {
  return Object.keys(previous).every((name) => previous[name] === undefined || ownField(next, name) !== undefined)
}
