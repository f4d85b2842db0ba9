'use client'
import type { Requester } from '@/lib/view/queue-patches'
import { useAbout } from '../hooks/use-about'
import { useNow } from '../hooks/use-now'

/** Who asks, and when, as the server will note it. */
export function useRequester(): Requester {
  const who = useAbout().data?.user ?? 'me'
  return { who, at: new Date(useNow()).toISOString().replace(/\.\d+Z$/, 'Z') }
}
