'use client'
import { useQuery } from '@tanstack/react-query'
import { readSession } from '../hooks/actions'

export const SESSION_KEY = ['session'] as const
/** A session may end while a page only listens; asking does not prolong it. */
const LOOK_EVERY_MS = 60_000

/** Who is logged in. Everybody on the page looks at the same answer. */
export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => readSession(signal),
    refetchInterval: LOOK_EVERY_MS,
    refetchOnWindowFocus: true,
    staleTime: LOOK_EVERY_MS / 2,
    retry: false,
  })
}
