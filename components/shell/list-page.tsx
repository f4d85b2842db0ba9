'use client'
import type { ReactNode } from 'react'
import type { FreshnessView } from '@/lib/view/live-client'
import type { State } from '@/lib/view/model'
import type { LiveList } from '../hooks/use-live-list'
import type { UrlChanges } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { Legend } from '../status/legend'
import { countStates, parseState } from '../status/states'
import { FilterField } from './filter-field'
import { describeQuery, ListBody } from './list-body'
import type { Noun } from './nouns'
import { PageFrame } from './page-frame'
import { WaitingChanges } from './waiting-changes'

interface FrameProps {
  title: string
  /** The list that the frame is about; without freshness where it does not come from the stream. */
  list: Pick<LiveList<unknown>, 'loaded' | 'waiting' | 'release'> & { freshness?: FreshnessView | undefined }
  filterHint: string
  /** Before and after the filter. */
  links?: ReactNode
  actions?: ReactNode
  /** Counts. */
  subline?: ReactNode
  children: ReactNode
}

/** The frame of a page with a list: title, filter, actions, counts, and the changes that wait while rows are held. */
export function ListFrame({ title, list, filterHint, links, actions, subline, children }: FrameProps) {
  return (
    <PageFrame
      title={title}
      {...(list.freshness && { freshness: list.freshness })}
      loaded={list.loaded}
      actions={
        <>
          {links}
          <FilterField hint={filterHint} />
          {actions}
        </>
      }
      subline={
        <>
          {subline}
          <WaitingChanges count={list.waiting} onRelease={list.release} />
        </>
      }
    >
      {children}
    </PageFrame>
  )
}

interface ListPageProps extends FrameProps {
  noun: Noun
  list: LiveList<unknown>
  /** The parameter that narrows the list besides the filter. */
  narrowedBy?: 'state' | 'stage'
  /** Content in place of a list without any object. */
  empty: ReactNode
  /** Above and below the list, in all its states. */
  above?: ReactNode
  below?: ReactNode
}

/** Renders a page with one live list and its states: loading, refused, empty, without matches, or stale. */
export function ListPage({ noun, narrowedBy = 'state', empty, above, below, children, ...frame }: ListPageProps) {
  const { get, hrefWith } = useUrlState()
  const { list } = frame
  const narrowed = get(narrowedBy)
  const everything: UrlChanges = { q: undefined, [narrowedBy]: undefined }
  return (
    <ListFrame {...frame}>
      {above}
      <ListBody
        noun={noun}
        collection={list}
        empty={empty}
        shown={list.rows.length}
        query={describeQuery(get('q'), narrowed && `${narrowedBy}=${narrowed}`)}
        clearHref={hrefWith(everything)}
      >
        <div {...list.calm.regionProps}>{children}</div>
      </ListBody>
      {below}
    </ListFrame>
  )
}

interface StateCountsProps {
  list: Pick<LiveList<unknown>, 'loaded' | 'refused' | 'unread'> & { items: readonly { state: { state: State } }[] }
  /** What is counted: "Workloads by state". */
  label: string
}

/**
 * Counts entries of a list by state; each count links to its entries. Renders nothing for a refused list, or an empty
 * one with unread kinds.
 */
export function StateCounts({ list, label }: StateCountsProps) {
  const { get, hrefWith } = useUrlState()
  if (list.refused !== undefined || (list.items.length === 0 && list.unread.length > 0)) return null
  return (
    <Legend
      counts={list.loaded ? countStates(list.items) : undefined}
      label={label}
      selected={parseState(get('state'))}
      hrefOf={(state) => hrefWith({ state })}
    />
  )
}
