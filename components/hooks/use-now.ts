'use client'
import { useSyncExternalStore } from 'react'

const TICK_MS = 1000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = 0

/** One clock for the page: all ages change in the same moment, once a second. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function read(): number {
  if (now === 0 || timer === undefined) now = Date.now() - (Date.now() % TICK_MS)
  return now
}

/** Milliseconds since the epoch, exact to the second; 0 while the server renders. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read, () => 0)
}
