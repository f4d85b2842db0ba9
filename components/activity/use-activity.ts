'use client'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { ActivityQuery, ActivityView } from '@/lib/view/activity-model'
import { readActivity } from '../hooks/actions'
import { useCollection } from '../hooks/use-collection'

const PAGE = '100'
/** Own actions on objects of others are not in the stream. */
const REFRESH_MS = 15_000

/** Entries that match a query, the latest first, page after page; read again when the stream brings another one. */
export function useActivity(query: ActivityQuery) {
  const live = useCollection('activity')
  const answer = useInfiniteQuery({
    queryKey: ['activity', query],
    queryFn: ({ pageParam, signal }) => readActivity({ ...query, limit: PAGE, continue: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.continue,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    retry: false,
  })
  const { refetch } = answer
  const latest = live.items.at(-1)?.id
  useEffect(() => {
    if (latest !== undefined) void refetch()
  }, [latest, refetch])
  const entries = useMemo(
    (): readonly ActivityView[] => answer.data?.pages.flatMap(({ items }) => items) ?? [],
    [answer.data],
  )
  const ownOnly = live.refused !== undefined
  return {
    ...answer,
    entries,
    remaining: answer.data?.pages.at(-1)?.remaining ?? 0,
    /** The reader may not list Events, hence not see what others did; then there is no stream to be current with. */
    ownOnly,
    /** Events that the console itself cannot read: no reader sees the actions of other instances. */
    unread: ownOnly ? [] : live.unread,
    freshness: ownOnly ? undefined : live.freshness,
  }
}
