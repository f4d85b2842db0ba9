'use client'
import { type FocusEvent, useRef } from 'react'

/**
 * Focus in and out of an overlay that opens without a trigger of its own (by address or by key): the panel takes it, so
 * that its title is read first, and gives it back to where it was. The panel is marked `data-opened` until it loses that
 * first focus and isn't outlined meanwhile; when a focused element goes and focus falls back to the panel, it is.
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      event.preventDefault()
      before.current = document.activeElement
      if (!(event.currentTarget instanceof HTMLElement)) return
      event.currentTarget.dataset['opened'] = ''
      event.currentTarget.focus()
    },
    onBlur: ({ currentTarget }: FocusEvent<HTMLElement>) => {
      delete currentTarget.dataset['opened']
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
    },
  }
}
