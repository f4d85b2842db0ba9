/** Lua has one empty table for lists and objects; what it was before it went through a script tells which. */

/**
 * The value with its empty tables as they are in the first of the sources that has something at their place: as lists or as
 * objects; as objects where none has. Everything else stays as it is.
 */
export function likeSource(value: unknown, sources: readonly unknown[]): unknown {
  if (isEmpty(value)) return emptyLike(sources)
  if (Array.isArray(value))
    return value.map((item, index) =>
      likeSource(
        item,
        sources.map((source) => at(source, index)),
      ),
    )
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      likeSource(
        child,
        sources.map((source) => at(source, name)),
      ),
    ]),
  )
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function emptyLike(sources: readonly unknown[]): [] | Record<string, never> {
  const known = sources.find((source) => typeof source === 'object' && source !== null)
  return Array.isArray(known) ? [] : {}
}

function at(source: unknown, key: string | number): unknown {
  return typeof source === 'object' && source !== null ? (source as Record<string | number, unknown>)[key] : undefined
}
