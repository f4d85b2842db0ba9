import type { ReactNode } from 'react'
import { formatCount, formatNumberOf } from '@/lib/format'
import { Link } from '../ui/link'

/** More rows than this are cut; the filter finds the others. */
const MOST_ROWS = 500

interface FilteredRowsProps<T> {
  /** What a row is, in the singular: "workload". */
  noun: string
  all: readonly T[]
  /** Those that the filter leaves. */
  shown: readonly T[]
  /** The filter in words, and the address without it. */
  query: string
  clearHref: string
  /** Draws the rows. */
  children: (rows: readonly T[]) => ReactNode
}

/** The rows of a table among other things: how many of them the filter leaves, and no more than can be drawn at once. */
export function FilteredRows<T>({ noun, all, shown, query, clearHref, children }: FilteredRowsProps<T>) {
  return (
    <>
      {shown.length < all.length && (
        <p className="mb-1 text-ink-2">
          {formatCount(shown.length)} of {formatNumberOf(all.length, noun)} match <span className="mono">{query}</span>.{' '}
          <Link href={clearHref} scroll={false} className="link">
            Show all
          </Link>
        </p>
      )}
      {shown.length > 0 && children(shown.slice(0, MOST_ROWS))}
      {shown.length > MOST_ROWS && (
        <p className="mt-2 text-ink-2">{formatCount(shown.length - MOST_ROWS)} more; filter to see them.</p>
      )}
    </>
  )
}
