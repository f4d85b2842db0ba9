'use client'
import { useSyncExternalStore } from 'react'
import { NAME_WIDTHS } from './columns'

/** Where the sidebar is a bar at the top, or at 200 % on a small screen. */
const NARROW = '(max-width: 40rem)'

function subscribe(tell: () => void): () => void {
  const query = window.matchMedia(NARROW)
  query.addEventListener('change', tell)
  return () => query.removeEventListener('change', tell)
}

const isNarrow = () => window.matchMedia(NARROW).matches

/** The width of the column of names, in pixels, as the screen permits. */
export function useNameWidth(): number {
  return useSyncExternalStore(subscribe, isNarrow, () => false) ? NAME_WIDTHS.narrow : NAME_WIDTHS.wide
}
