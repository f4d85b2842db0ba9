'use client'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'

interface Asked {
  /** Notes what was asked for of something that looked like `seen` then. */
  note: (id: string, words: string, seen: unknown) => void
  /** What was asked for and does not show yet: it still looks as it did then. */
  askedOf: (id: string, seen: unknown) => string | undefined
}

const AskedContext = createContext<Asked>({ note: () => undefined, askedOf: () => undefined })

/** Remembers what this page asked for, until the stream shows something else: a request is not its effect. */
export function AskedProvider({ children }: { children: ReactNode }) {
  const [orders, setOrders] = useState<ReadonlyMap<string, { words: string; seen: string }>>(new Map())
  const note = useCallback(
    (id: string, words: string, seen: unknown) =>
      setOrders((known) => new Map(known).set(id, { words, seen: print(seen) })),
    [],
  )
  const asked = useMemo<Asked>(
    () => ({
      note,
      askedOf: (id, seen) => {
        const order = orders.get(id)
        return order !== undefined && order.seen === print(seen) ? order.words : undefined
      },
    }),
    [orders, note],
  )
  return <AskedContext value={asked}>{children}</AskedContext>
}

/** By content: a stream that was caught up with has other objects that say the same. */
const print = (seen: unknown): string => JSON.stringify(seen ?? null)

export const useAsked = (): Asked => useContext(AskedContext)
