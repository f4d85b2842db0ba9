'use client'
import { useRef } from 'react'

/**
 * Focus in and out of an overlay that opens without a trigger of its own (by address or by key): the panel takes it, so
 * that its title is read first, and gives it back to where it was.
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      event.preventDefault()
      before.current = document.activeElement
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
    },
  }
}
