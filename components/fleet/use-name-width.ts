'use client'
import { useCallback, useSyncExternalStore } from 'react'
import { NAME_WIDTHS } from './columns'

/** Where the sidebar is a bar at the top, or at 200 % on a small screen. */
const NARROW = '(max-width: 40rem)'

/** Reports whether the screen is as the media query asks. */
export function useMedia(media: string): boolean {
  const subscribe = useCallback(
    (tell: () => void) => {
      const query = window.matchMedia(media)
      query.addEventListener('change', tell)
      return () => query.removeEventListener('change', tell)
    },
    [media],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(media).matches,
    () => false,
  )
}

/** The width of the column of names, in pixels, as the screen permits. */
export function useNameWidth(): number {
  return useMedia(NARROW) ? NAME_WIDTHS.narrow : NAME_WIDTHS.wide
}
