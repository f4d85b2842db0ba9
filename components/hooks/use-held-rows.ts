'use client'
import { useState } from 'react'
import { type HeldRows, holdRows, releaseRows } from './held-rows'

interface Held<T> extends HeldRows<T> {
  /** Lets the waiting changes in. */
  release: () => void
}

interface Memory<T> {
  key: string
  current: readonly T[]
  held: HeldRows<T>
}

/**
 * Holds the order of `current` while `holding`. A new `viewKey` (filter, order, group) always shows the current list.
 */
export function useHeldRows<T extends { id: string }>(
  current: readonly T[],
  viewKey: string,
  holding: boolean,
): Held<T> {
  const [asked, setAsked] = useState(0)
  const key = `${viewKey} ${asked}`
  const [memory, setMemory] = useState<Memory<T>>(() => ({ key, current, held: releaseRows(current) }))
  const next = advance(memory, { key, current, holding })
  if (next !== memory) setMemory(next)
  return { ...next.held, release: () => setAsked((count) => count + 1) }
}

/** The memory itself when there is nothing new to show. */
function advance<T extends { id: string }>(
  memory: Memory<T>,
  { key, current, holding }: { key: string; current: readonly T[]; holding: boolean },
): Memory<T> {
  const mayRelease = !holding && memory.held.rows !== current
  if (memory.key === key && memory.current === current && !mayRelease) return memory
  const held = holding && memory.key === key ? holdRows(memory.held, current) : releaseRows(current)
  return { key, current, held }
}
