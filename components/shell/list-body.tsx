'use client'
import type { ReactNode } from 'react'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { SkeletonRows } from '../ui/skeleton'
import { type Noun, nounOf, pluralOf, type Subject } from './nouns'

interface ListBodyProps {
  /** What the list holds. */
  noun: Noun
  collection: { loaded: boolean; items: readonly unknown[]; refused?: string }
  /** What stands here while nothing exists at all. */
  empty: ReactNode
  /** Rows that the query leaves, the query in words, and the address without it. */
  shown: number
  query: string
  clearHref: string
  children: ReactNode
}

/** A list in one of its states: refused, first load, empty because new, empty because filtered, or its rows. */
export function ListBody({ noun, collection, empty, shown, query, clearHref, children }: ListBodyProps) {
  const text = useText()
  if (collection.refused !== undefined) return <Refused what={pluralOf(noun)} reason={collection.refused} />
  if (!collection.loaded) return <SkeletonRows label={text('common.list.loading', { what: nounOf(pluralOf(noun)) })} />
  if (collection.items.length === 0) return empty
  if (shown === 0) return <Filtered noun={noun} all={collection.items.length} query={query} clearHref={clearHref} />
  return children
}

interface FilteredProps {
  noun: Noun
  all: number
  query: string
  clearHref: string
}

/** The filter leaves nothing. */
export function Filtered({ noun, all, query, clearHref }: FilteredProps) {
  const text = useText()
  const what = nounOf(pluralOf(noun))
  return (
    <EmptyState title={text('common.list.noMatch', { all: text(`common.counted.${noun}`, { n: all }) })}>
      <p>
        <Rich code="common.list.noMatchFor" args={{ what }} parts={{ query: <span className="mono">{query}</span> }} />{' '}
        <Link href={clearHref} className="link">
          {text('common.list.showAll', { what })}
        </Link>
      </p>
    </EmptyState>
  )
}

/** The server does not give this data: it is not served there, or not to this user. */
export function Refused({ what, reason }: { what: Subject; reason: string }) {
  const text = useText()
  return (
    <EmptyState title={text('common.list.unavailable', { what: nounOf(what) })}>
      <p>{reason}</p>
      <p>
        <Link href="/control-plane" className="link">
          {text('common.list.whatIsServed')}
        </Link>
      </p>
    </EmptyState>
  )
}

/** A part of a page that this user may not see, while the rest of it works. */
export function PartRefused({ what, reason }: { what: Subject; reason: string }) {
  const text = useText()
  return (
    <p className="flex gap-2 px-6 py-3" data-testid="part-refused">
      <span className="flex h-5 items-center">
        <StateGlyph state="held" />
      </span>
      <span>
        <span className="font-medium">{text('common.list.unavailable', { what: nounOf(what) })}</span>{' '}
        <span className="text-ink-2">{reason}</span>
      </span>
    </p>
  )
}

/** The query of a list in words, for the sentence that says that nothing matches. */
export function describeQuery(...parts: (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' · ')
}
