'use client'
import { useMemo } from 'react'
import type { Topic, Topics } from '@/lib/view/live'
import { parseState } from '../status/states'
import type { ListQuery } from './filter'
import type { HeldRows } from './held-rows'
import type { Sorts } from './sorting'
import { type Calm, useCalm } from './use-calm'
import { type Collection, useCollection } from './use-collection'
import { useHeldRows } from './use-held-rows'
import { useSorting } from './use-sorting'
import { useUrlState } from './use-url-state'

/** A list as its page shows it: what the server sent, and the rows that the query leaves, held while in use. */
export interface LiveList<R> extends HeldRows<R>, Omit<Collection<unknown>, 'byId'> {
  /** Lets the waiting changes in. */
  release: () => void
  /** For the element that contains the rows. */
  calm: Calm
}

interface ListOptions<T, R extends { id: string }> {
  /** The rows that the query leaves. Stays the same while nothing else that it reads changes. */
  select: (items: readonly T[], query: ListQuery) => readonly R[]
  sorts?: Sorts<R>
  /** View settings of the user other than filter, state and order. */
  viewKey?: string
  /** Of a page with several lists, which are held together. */
  calm?: Calm
}

const UNSORTED = {}

/**
 * Returns a live collection, filtered and sorted as in the URL, with rows held in place while the user works in them.
 */
export function useLiveList<K extends Topic, R extends { id: string } = Topics[K]>(
  topic: K,
  { select, sorts = UNSORTED, viewKey = '', calm: shared }: ListOptions<Topics[K], R>,
): LiveList<R> & Collection<Topics[K]> {
  const { get } = useUrlState()
  const collection = useCollection(topic)
  const filter = get('q') ?? ''
  const state = parseState(get('state'))
  const shown = useMemo(() => select(collection.items, { filter, state }), [select, collection.items, filter, state])
  const sorted = useSorting(shown, sorts)
  const own = useCalm()
  const calm = shared ?? own
  const held = useHeldRows(sorted.rows, `${filter} ${state} ${sorted.text} ${viewKey}`, calm.attended)
  return { ...collection, ...held, calm }
}
