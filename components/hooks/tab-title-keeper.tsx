'use client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { SummaryView } from '@/lib/view/live'
import { useText } from '../messages/use-text'
import { type AnyCollection, SUMMARY_TOPIC } from './live-connection'
import { liveKey } from './live-key'
import { titleWhileHidden } from './tab-title'

const isHidden = () => document.hidden

function onVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Tells in the title of a hidden tab what fails, and gives the page its title back when it is seen. */
export function TabTitleKeeper() {
  const text = useText()
  const hidden = useSyncExternalStore(onVisibility, isHidden, () => false)
  // The connection itself follows the summary while the page is hidden.
  const { data } = useQuery<AnyCollection>({
    queryKey: liveKey(SUMMARY_TOPIC),
    queryFn: skipToken,
    structuralSharing: false,
    staleTime: Infinity,
  })
  const summary = data?.entities.get('now') as SummaryView | undefined
  useEffect(() => {
    if (!hidden || summary === undefined) return
    const title = document.title
    const told = titleWhileHidden(text, title, summary)
    document.title = told
    return () => {
      if (document.title === told) document.title = title
    }
  }, [hidden, summary, text])
  return null
}
