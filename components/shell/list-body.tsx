'use client'
import type { ReactNode } from 'react'
import type { Text } from '@/lib/messages'
import type { UnreadKind } from '@/lib/view/unread'
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
  collection: { loaded: boolean; items: readonly unknown[] } & Refusal
  /** Content of a list without any object. */
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
  const { refused, loaded, items, unread } = collection
  if (refused !== undefined) return <Refused what={pluralOf(noun)} of={collection} />
  if (!loaded) return <SkeletonRows label={text('common.list.loading', { what: nounOf(pluralOf(noun)) })} />
  if (items.length === 0) return <IfLookedFor of={collection}>{empty}</IfLookedFor>
  return (
    <>
      <UnreadNotes unread={unread} />
      {shown === 0 ? <Filtered noun={noun} all={items.length} query={query} clearHref={clearHref} /> : children}
    </>
  )
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

/** Why a list is not given, or what is missing from it. */
export interface Refusal {
  refused?: string
  unread: readonly UnreadKind[]
}

/** The server does not give this data: it is not served there, not read by the console, or not given to this user. */
export function Refused({ what, of: { refused, unread } }: { what: Subject; of: Refusal }) {
  const text = useText()
  return (
    <Unavailable title={titleOf(text, unread[0], what)} sentences={unread.map(sentenceOf)}>
      {unread.length === 0 && <p>{refused}</p>}
    </Unavailable>
  )
}

interface IfLookedForProps {
  of: Refusal
  /** The kind of an object that has a page of its own. Default: any. */
  kind?: string
  /** Says that there is no such object. */
  children: ReactNode
}

/** Reports an object as absent or deleted only if its kind is read; otherwise shows that the kind is not read. */
export function IfLookedFor({ of: { unread }, kind, children }: IfLookedForProps) {
  const text = useText()
  const missing = kind === undefined ? unread : unread.filter((each) => each.kind === kind)
  if (missing[0] === undefined) return children
  return <Unavailable title={titleOf(text, missing[0])} sentences={missing.map(sentenceOf)} />
}

/** Above a list that is without some kind. */
export function UnreadNotes({ unread }: { unread: readonly UnreadKind[] }) {
  const text = useText()
  return unread.map((each) => <Part key={each.kind} title={titleOf(text, each)} sentence={each.sentence} />)
}

/** A part of a page that this user may not see, while the rest of it works. */
export function PartRefused({ what, of: { refused, unread } }: { what: Subject; of: Refusal }) {
  const text = useText()
  const sentence = unread.length === 0 ? (refused ?? '') : unread.map(sentenceOf).join(' ')
  return <Part title={titleOf(text, unread[0], what)} sentence={sentence} />
}

function Part({ title, sentence }: { title: string; sentence: string }) {
  return (
    <p className="flex gap-2 px-6 py-3" data-testid="part-refused">
      <span className="flex h-5 items-center">
        <StateGlyph state="held" />
      </span>
      <span>
        <span className="font-medium">{title}</span> <span className="text-ink-2">{sentence}</span>
      </span>
    </p>
  )
}

interface UnavailableProps {
  title: string
  sentences: readonly string[]
  children?: ReactNode
}

function Unavailable({ title, sentences, children }: UnavailableProps) {
  const text = useText()
  return (
    <EmptyState title={title}>
      {children}
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>
        <Link href="/control-plane" className="link">
          {text('common.list.whatIsServed')}
        </Link>
      </p>
    </EmptyState>
  )
}

const sentenceOf = ({ sentence }: UnreadKind): string => sentence

/** Whose fault it is: the control plane's, the console's or the reader's. */
function titleOf(text: Text, unread: UnreadKind | undefined, what?: Subject): string {
  const reason = unread?.reason ?? 'NoPermission'
  if (reason === 'NoPermission' && what !== undefined) return text('common.list.unavailable', { what: nounOf(what) })
  return text(`common.unread.${reason}`, { kind: unread?.kind ?? '' })
}

/** Describes the query of a list, for the message about no matches. */
export function describeQuery(...parts: (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' · ')
}
