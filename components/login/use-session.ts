'use client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { readSession } from '../hooks/actions'

export const SESSION_KEY = ['session'] as const
/** A session may end while a page only listens; asking does not prolong it. */
const POLL_MS = 60_000

/** The query of the session. All components of the page share one answer. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: ({ signal }) => readSession(signal),
  refetchInterval: POLL_MS,
  refetchOnWindowFocus: true,
  staleTime: POLL_MS / 2,
  retry: false,
})

/** The user who is logged in. */
export const useSession = () => useQuery(sessionQuery)
