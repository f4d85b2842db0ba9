'use client'
/** The moment from which a page shows its data: what it needs later, if at all, is fetched after that. */
import { useSyncExternalStore } from 'react'
import { browserClock } from './browser-clock'

/** A page that follows nothing, or gets no data, is taken for settled after this time. */
const LATEST_MS = 5000

const told = new Set<() => void>()
let isSettled = false

/** Called when the data of the page is on the screen. Only the first time counts. */
export function settle(): void {
  if (isSettled) return
  isSettled = true
  for (const tell of told) tell()
  told.clear()
}

/** Calls once when the page is settled; at once where it is. Returns how not to be called. */
export function whenSettled(tell: () => void): () => void {
  if (isSettled) tell()
  else told.add(tell)
  return () => told.delete(tell)
}

const get = (): boolean => isSettled

export const useSettled = (): boolean => useSyncExternalStore(whenSettled, get, () => false)

// Who acts before may need everything.
if (typeof window !== 'undefined') {
  browserClock.after(LATEST_MS, settle)
  for (const type of ['pointerdown', 'keydown'] as const) {
    window.addEventListener(type, settle, { once: true, capture: true, passive: true })
  }
}
