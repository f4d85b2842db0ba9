import type { ReactElement } from 'react'

interface Rows<T> {
  items: readonly T[]
  /** The items before their latest change, until React has time for rows off the screen. */
  settled: readonly T[]
  /** An element with a key. */
  render: (item: T, index: number) => ReactElement
}

/** The first and the last place. */
interface Places {
  from: number
  to: number
}

/** Rows that came or went above a row may have moved it by so many places. */
const MOST_MOVED = 20

/**
 * Returns the rows at these places of a long list. Rows outside of `near` show the item of their key in `settled`: when
 * an outage changes every row at once, those on screen are drawn without waiting for the others.
 */
export function rowsInView<T>(
  { items, settled, render }: Rows<T>,
  shown: readonly { index: number }[],
  near: Places,
): ReactElement[] {
  const first = Math.max(0, (shown[0]?.index ?? 0) - MOST_MOVED)
  const earlier = settled === items ? [] : settled.slice(first, (shown.at(-1)?.index ?? 0) + 1 + MOST_MOVED)
  const known = new Map(earlier.map((item, at) => render(item, first + at)).map((row) => [row.key, row]))
  return shown.flatMap(({ index }) => {
    const item = items[index]
    if (item === undefined) return []
    const row = render(item, index)
    const isNear = index >= near.from && index <= near.to
    return [isNear ? row : (known.get(row.key) ?? row)]
  })
}
