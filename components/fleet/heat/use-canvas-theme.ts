'use client'
import { useSyncExternalStore } from 'react'

let version = 0

function subscribe(tell: () => void): () => void {
  const changed = () => {
    version += 1
    tell()
  }
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] })
  const forced = window.matchMedia('(forced-colors: active)')
  forced.addEventListener('change', changed)
  return () => {
    observer.disconnect()
    forced.removeEventListener('change', changed)
  }
}

/** Returns a number that changes with the theme, because canvas drawings do not follow the theme by themselves. */
export function useCanvasTheme(): number {
  return useSyncExternalStore(
    subscribe,
    () => version,
    () => 0,
  )
}
