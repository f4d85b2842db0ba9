'use client'
import { useLayoutEffect } from 'react'

/**
 * Calls `onKeyDown` for every key pressed in the document while `active`. It listens from the moment at which the
 * reader can see the result of a render: an effect that runs after painting would miss a key that is pressed at once.
 */
export function useKeyDown(onKeyDown: (event: KeyboardEvent) => void, active = true): void {
  useLayoutEffect(() => {
    if (!active) return
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onKeyDown, active])
}
