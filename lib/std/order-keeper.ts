/** Sorting the same rows again and again, as a live list does. */

interface Named {
  readonly id: string
}

/**
 * Returns a function that sorts rows by `compare`, which must depend only on values that never change for an id. Known
 * rows keep their positions without a comparison; only new ones are sorted in.
 */
export function orderKeeper<T extends Named>(compare: (a: T, b: T) => number): (rows: Iterable<T>) => T[] {
  /** The last rows, with the position of each sorted row among them. */
  let came: readonly T[] = []
  let places: readonly number[] = []
  return (rows) => {
    const next = [...rows]
    const isSame = next.length === came.length && next.every((row, at) => row === came[at] || row.id === came[at]!.id)
    if (!isSame) places = placesOf(next, { known: places.map((place) => came[place]!.id), compare })
    came = next
    return places.map((place) => next[place]!)
  }
}

interface Order<T> {
  /** Ids that are in order. */
  known: readonly string[]
  compare: (a: T, b: T) => number
}

function placesOf<T extends Named>(rows: readonly T[], { known, compare }: Order<T>): number[] {
  const left = new Map(rows.map(({ id }, at) => [id, at]))
  const kept: number[] = []
  for (const id of known) {
    const at = left.get(id)
    if (at === undefined) continue
    kept.push(at)
    left.delete(id)
  }
  const byRow = (a: number, b: number): number => compare(rows[a]!, rows[b]!)
  return merged(kept, [...left.values()].toSorted(byRow), byRow)
}

/** Merges two sorted lists; among equal elements those of the first come first. */
export function merged<T>(one: readonly T[], other: readonly T[], compare: (a: T, b: T) => number): T[] {
  const all: T[] = []
  let next = 0
  for (const row of one) {
    for (; next < other.length && compare(other[next]!, row) < 0; next += 1) all.push(other[next]!)
    all.push(row)
  }
  return [...all, ...other.slice(next)]
}
