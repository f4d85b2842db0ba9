/**
 * Kinds that are served in several versions and stored in one. A version may lack a stored field: the converted object
 * carries the stored one, so that writing it back does not lose the field. Versions of a user's kind lose it, as upstream.
 */
import { deepEqual } from '@/lib/std/equal'
import { isFields, ownField, setField } from '@/lib/std/fields'
import type { Kind } from './kind'
import type { UnknownObject } from './object'
import { pruneUnknown } from './schema-prune'

/** A symbol is copied with the object's fields and never written to JSON. */
const KEPT = Symbol('the object as it is kept')

type Converting = Pick<Kind, 'storedAs' | 'schema'>
type StoredObject = UnknownObject & { [KEPT]?: UnknownObject }
type Fields = Readonly<Record<string, unknown>>

/** Returns a stored object in the form of this version. */
export function shownIn({ storedAs }: Converting, kept: UnknownObject): UnknownObject {
  if (!storedAs) return kept
  const shown = storedAs.read(kept)
  return shown === kept || storedAs.forgets ? shown : ({ ...shown, [KEPT]: kept } as StoredObject)
}

/** An object of this version in stored form; fields that the version lacks are taken from the original object. */
export function keptFrom({ storedAs, schema }: Converting, object: UnknownObject): UnknownObject {
  if (!storedAs) return object
  const origin = (object as StoredObject)[KEPT]
  const written = storedAs.write(object)
  if (!origin) return written
  // Writers send what the schema of the version has; the conversion may leave more in it.
  const roundTrip = storedAs.write(pruneUnknown(storedAs.read(origin), schema).value as UnknownObject)
  return keepUnshown(written, { kept: origin, roundTrip }) as UnknownObject
}

/**
 * Attaches the stored object of `before` to `next`; returns `next` itself if it has one already or `before` has none.
 */
export function carryingOn(next: UnknownObject, before: UnknownObject): UnknownObject {
  const origin = (before as StoredObject)[KEPT]
  return origin === undefined || (next as StoredObject)[KEPT] !== undefined
    ? next
    : ({ ...next, [KEPT]: origin } as StoredObject)
}

/** The object that was kept when this one was shown. */
export const originOf = (object: UnknownObject): UnknownObject | undefined => (object as StoredObject)[KEPT]

/** The kept value, and what of it a version shows. */
interface Loss {
  kept: unknown
  roundTrip: unknown
}

/** Puts back what is in `kept` and not in its round trip, wherever the object around it is still the same one. */
function keepUnshown(next: unknown, { kept, roundTrip }: Loss): unknown {
  if (deepEqual(kept, roundTrip)) return next
  if (deepEqual(next, roundTrip)) return kept
  if (Array.isArray(kept)) return keepInList(next, { kept, roundTrip })
  if (!isFields(kept) || (next !== undefined && !isFields(next))) return next
  if (next && isAnother(next, kept)) return next
  const shown = isFields(roundTrip) ? roundTrip : {}
  const result: Record<string, unknown> = { ...next }
  for (const [name, value] of Object.entries(kept)) {
    if (!Object.hasOwn(shown, name)) setField(result, name, ownField(result, name) ?? value)
    else {
      const field = keepUnshown(ownField(result, name), { kept: value, roundTrip: ownField(shown, name) })
      if (field !== undefined) setField(result, name, field)
    }
  }
  return Object.keys(result).length > 0 || next !== undefined ? result : undefined
}

/** Elements are the same when they are called the same, or did not change. */
function keepInList(next: unknown, { kept, roundTrip }: { kept: readonly unknown[]; roundTrip: unknown }): unknown {
  if (!Array.isArray(next) || !Array.isArray(roundTrip) || roundTrip.length !== kept.length) return next
  return next.map((element: unknown) => {
    const named = nameOf(element)
    const at = roundTrip.findIndex((shown) =>
      named === undefined ? deepEqual(shown, element) : nameOf(shown) === named,
    )
    return at < 0 ? element : keepUnshown(element, { kept: kept[at], roundTrip: roundTrip[at] })
  })
}

const NAMES = ['name', 'clusterName', 'type'] as const

function nameOf(element: unknown): string | undefined {
  if (!isFields(element)) return undefined
  const field = NAMES.find((name) => typeof element[name] === 'string')
  return field && `${field} ${String(element[field])}`
}

/** Reports whether a reference names another object; stored fields of the old reference do not apply to it. */
const isAnother = (next: Fields, kept: Fields): boolean => nameOf(next) !== undefined && nameOf(next) !== nameOf(kept)
