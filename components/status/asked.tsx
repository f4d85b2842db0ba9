'use client'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'

interface Asked {
  /** Records an order for an object whose current state is `seen`. */
  note: (id: string, words: string, seen: unknown) => void
  /** Returns the order for an object while its state is still `seen`. */
  askedOf: (id: string, seen: unknown) => string | undefined
}

const AskedContext = createContext<Asked>({ note: () => undefined, askedOf: () => undefined })

/** Records the orders of this page until the stream shows a change: an accepted order has not yet taken effect. */
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
