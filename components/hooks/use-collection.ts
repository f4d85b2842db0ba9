'use client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Text } from '@/lib/messages'
import { compareNaturally } from '@/lib/std/natural-order'
import { orderKeeper } from '@/lib/std/order-keeper'
import {
  type CollectionState,
  type FreshnessView,
  freshnessOf,
  initialCollection,
  isLoaded,
} from '@/lib/view/live-client'
import type { Topic, Topics } from '@/lib/view/live'
import type { UnreadKind } from '@/lib/view/unread'
import { useText } from '../messages/use-text'
import { liveKey } from './live-key'
import { useLiveConnection } from './live-provider'

export interface Collection<T> {
  /** False until something arrived: "empty" and "not known yet" are different things. */
  loaded: boolean
  /** In the order of ids. */
  items: readonly T[]
  byId: ReadonlyMap<string, T>
  freshness: FreshnessView
  /** Why the server does not give this topic. */
  refused?: string
  /** Kinds that the topic would show, and that are not read: without them, "none" is not known. */
  unread: readonly UnreadKind[]
}

/** A live collection. Entities that did not change are the same objects as before. */
export function useCollection<K extends Topic>(topic: K): Collection<Topics[K]> {
  const text = useText()
  const connection = useLiveConnection()
  useEffect(() => connection?.watch(topic), [connection, topic])
  const { data = EMPTY } = useQuery<CollectionState<Topics[K]>>({
    queryKey: liveKey(topic),
    queryFn: skipToken,
    structuralSharing: false,
    staleTime: Infinity,
  })
  const sort = useMemo(() => orderKeeper<Topics[K]>(byId), [])
  return useMemo(() => viewOf(text, data as CollectionState<Topics[K]>, sort), [data, text, sort])
}

const byId = (a: { id: string }, b: { id: string }): number => compareNaturally(a.id, b.id)

const EMPTY = initialCollection<never>()
const NONE_UNREAD: readonly UnreadKind[] = []

/** Sorted entities; several parts of a page follow the same topic. */
const sorted = new WeakMap<object, readonly unknown[]>()

function itemsOf<T>(entities: ReadonlyMap<string, T>, sort: (rows: Iterable<T>) => T[]): readonly T[] {
  const known = sorted.get(entities) as readonly T[] | undefined
  const items = known ?? sort(entities.values())
  if (!known) sorted.set(entities, items)
  return items
}

function viewOf<T extends { id: string }>(
  text: Text,
  state: CollectionState<T>,
  sort: (rows: Iterable<T>) => T[],
): Collection<T> {
  return {
    loaded: isLoaded(state),
    items: itemsOf(state.entities, sort),
    byId: state.entities,
    freshness: freshnessOf(state),
    unread: state.unread ?? NONE_UNREAD,
    ...(state.phase === 'refused' && { refused: state.error ?? text('common.listUnavailable') }),
  }
}
