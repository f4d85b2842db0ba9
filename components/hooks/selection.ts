/**
 * A selection in the address of the page: ids joined by commas. One that is too long for an address is kept by the
 * caller under its fingerprint, and the address names that.
 */

/** Servers and proxies refuse much longer addresses. */
export const MAX_INLINE_LENGTH = 3000
const STORED_PREFIX = '@'

export interface EncodedSelection {
  /** The value for the address; undefined when nothing is selected. */
  value: string | undefined
  /** What to keep under the value when it is not inline. */
  stored?: string
}

export function encodeSelection(ids: readonly string[]): EncodedSelection {
  if (ids.length === 0) return { value: undefined }
  const inline = ids.join(',')
  if (inline.length <= MAX_INLINE_LENGTH) return { value: inline }
  return { value: `${STORED_PREFIX}${ids.length}-${fingerprint(inline)}`, stored: inline }
}

/** Parses the ids of a URL value; `read` returns the stored value, or null if it was removed. */
export function decodeSelection(value: string | undefined, read: (key: string) => string | null): string[] {
  if (value === undefined || value === '') return []
  const inline = value.startsWith(STORED_PREFIX) ? read(value) : value
  return inline === null ? [] : inline.split(',').filter((id) => id !== '')
}

/** Adds the ids when any of them is missing, else takes them all away. */
export function toggleIds(selected: ReadonlySet<string>, ids: readonly string[]): Set<string> {
  const next = new Set(selected)
  const all = ids.every((id) => next.has(id))
  for (const id of ids) {
    if (all) next.delete(id)
    else next.add(id)
  }
  return next
}

/** The ids from the one row to the other, both included, in the order of the list. */
export function rangeOf(ids: readonly string[], from: string, to: string): string[] {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)]
  if (a < 0 || b < 0) return [to]
  return ids.slice(Math.min(a, b), Math.max(a, b) + 1)
}

/** FNV-1a, 32 bits: names a stored selection within one browser tab, nothing more. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}
