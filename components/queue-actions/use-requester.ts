'use client'
import type { Requester } from '@/lib/view/queue-patches'
import { useAbout } from '../hooks/use-about'
import { useNow } from '../hooks/use-now'

/** The user and the time that the server will note with an action. */
export function useRequester(): Requester {
  const who = useAbout().data?.user ?? 'me'
  return { who, at: new Date(useNow()).toISOString().replace(/\.\d+Z$/, 'Z') }
}
