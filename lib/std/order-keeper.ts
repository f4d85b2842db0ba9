/** Sorting the same rows again and again, as a live list does. */

interface Named {
  readonly id: string
}

/**
 * A function that sorts rows by `compare`, which must depend on what never changes for an id. Rows that it has seen
 * before take their places without a comparison; only new ones are sorted in.
 */
export function orderKeeper<T extends Named>(compare: (a: T, b: T) => number): (rows: Iterable<T>) => T[] {
  let order: readonly string[] = []
  return (rows) => {
    const left = new Map<string, T>()
    for (const row of rows) left.set(row.id, row)
    const known: T[] = []
    for (const id of order) {
      const row = left.get(id)
      if (row === undefined) continue
      known.push(row)
      left.delete(id)
    }
    if (left.size === 0) return known
    const all = merged(known, [...left.values()].toSorted(compare), compare)
    order = all.map(({ id }) => id)
    return all
  }
}

function merged<T>(one: readonly T[], other: readonly T[], compare: (a: T, b: T) => number): T[] {
  const all: T[] = []
  let next = 0
  for (const row of one) {
    for (; next < other.length && compare(other[next]!, row) < 0; next += 1) all.push(other[next]!)
    all.push(row)
  }
  return [...all, ...other.slice(next)]
}
