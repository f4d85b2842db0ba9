'use client'
import type { ReactNode } from 'react'
import { message } from '@/lib/messages'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'
import type { Noun } from './nouns'

interface FilteredRowsProps<T> {
  /** What a row is. */
  noun: Noun
  all: readonly T[]
  /** Those that the filter leaves. */
  shown: readonly T[]
  /** The filter in words, and the address without it. */
  query: string
  clearHref: string
  /** The table of those rows. */
  children: ReactNode
}

/** The rows of a table among other things, after how many of them the filter leaves. */
export function FilteredRows<T>({ noun, all, shown, query, clearHref, children }: FilteredRowsProps<T>) {
  const text = useText()
  return (
    <>
      {shown.length < all.length && (
        <p className="mb-1 text-ink-2">
          <Rich
            code="common.list.matches"
            args={{ shown: shown.length, all: message(`common.counted.${noun}`, { n: all.length }) }}
            parts={{ query: <span className="mono">{query}</span> }}
          />{' '}
          <Link href={clearHref} scroll={false} className="link">
            {text('common.showAll')}
          </Link>
        </p>
      )}
      {shown.length > 0 && children}
    </>
  )
}
