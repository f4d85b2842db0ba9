'use client'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import type { FailoverStoryView } from '@/lib/view/failover-model'

interface Asked {
  /** Notes what was asked for of a story. */
  note: (story: FailoverStoryView, words: string) => void
  /** What was asked for and does not show yet: the story is still the one that it was then. */
  askedOf: (story: FailoverStoryView) => string | undefined
}

const AskedContext = createContext<Asked>({ note: () => undefined, askedOf: () => undefined })

/** Remembers what this page asked for, until the stories themselves show it. */
export function AskedProvider({ children }: { children: ReactNode }) {
  const [orders, setOrders] = useState<ReadonlyMap<string, { story: FailoverStoryView; words: string }>>(new Map())
  const note = useCallback(
    (story: FailoverStoryView, words: string) => setOrders((known) => new Map(known).set(story.id, { story, words })),
    [],
  )
  const asked = useMemo<Asked>(() => ({
    note,
    askedOf: (story) => {
      const order = orders.get(story.id)
      return order?.story === story ? order.words : undefined
    },
  }), [orders, note])
  return <AskedContext value={asked}>{children}</AskedContext>
}

export const useAsked = (): Asked => useContext(AskedContext)
