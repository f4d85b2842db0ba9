'use client'
/** The moment from which a page shows its data: what it needs later, if at all, is fetched after that. */
import { useSyncExternalStore } from 'react'
import { browserClock } from './browser-clock'

/** A page that follows nothing, or gets no data, is taken for settled after this time. */
const LATEST_MS = 5000
/** Goes on after this time even if the browser is never idle. */
const MAX_BUSY_MS = 2000
/** A page that has data is waited for no longer than this. */
const LATEST_PICTURE_MS = 500
/** A page with data still fetches and draws the part of its picture that is not in its own code. */
const DRAWING_MS = 150

const listeners = new Set<() => void>()
let isSettled = false

/** The frame around a page follows data of its own, which is there before that of the page. */
const awaited = new Set<'live' | 'page'>(['live', 'page'])

const pageShown = Promise.withResolvers<void>()

/**
 * Called when all followed topics are rendered, and when the page shows its own data. Waits for an idle browser,
 * because fetches would compete with rendering.
 */
export function noteShown(what: 'live' | 'page'): void {
  awaited.delete(what)
  if (what === 'page') pageShown.resolve()
  if (awaited.size > 0 || isSettled) return
  whenIdle(settle)
}

/** Resolves when the page has drawn its own data, and soon in any case: it may need more than what it has by now. */
export async function firstPicture(): Promise<void> {
  browserClock.after(LATEST_PICTURE_MS, pageShown.resolve)
  await pageShown.promise
  await new Promise<void>((drawn) => {
    browserClock.after(DRAWING_MS, drawn)
  })
}

function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: MAX_BUSY_MS })
  else browserClock.after(MAX_BUSY_MS / 10, act)
}

/** Only the first time counts. */
function settle(): void {
  if (isSettled) return
  isSettled = true
  for (const notify of listeners) notify()
  listeners.clear()
}

/** Calls once when the page is settled; at once where it is. Returns how not to be called. */
export function whenSettled(notify: () => void): () => void {
  if (isSettled) notify()
  else listeners.add(notify)
  return () => listeners.delete(notify)
}

const get = (): boolean => isSettled

export const useSettled = (): boolean => useSyncExternalStore(whenSettled, get, () => false)

// The first input settles the page early, because the user may need all code.
if (typeof window !== 'undefined') {
  browserClock.after(LATEST_MS, settle)
  for (const type of ['pointerdown', 'keydown'] as const) {
    window.addEventListener(type, settle, { once: true, capture: true, passive: true })
  }
}
