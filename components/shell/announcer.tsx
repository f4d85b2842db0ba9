'use client'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { browserClock } from '../hooks/browser-clock'
import { Announcements } from './announcements'

const AnnounceContext = createContext<(sentence: string) => void>(() => undefined)

/** The one polite live region of the page. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [spoken, setSpoken] = useState('')
  const [announcements] = useState(() => new Announcements(browserClock, setSpoken))
  return (
    <AnnounceContext value={announcements.announce}>
      {children}
      <output aria-live="polite" className="sr-only" data-testid="live-region">
        {spoken}
      </output>
    </AnnounceContext>
  )
}

/** Says a sentence to screen readers, without haste. */
export function useAnnounce(): (sentence: string) => void {
  return useContext(AnnounceContext)
}
