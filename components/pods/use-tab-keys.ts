'use client'
import { useEffect } from 'react'

/** `[` and `]` go through the tabs of a drawer, which the keys of the page do not reach. */
export function useTabKeys(tabs: readonly string[], current: string, onTab: (tab: string) => void): void {
  const key = tabs.join(' ')
  useEffect(() => {
    const all = key.split(' ')
    const onKeyDown = (event: KeyboardEvent): void => {
      const step = event.key === ']' ? 1 : event.key === '[' ? -1 : 0
      if (step === 0 || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      onTab(all[(all.indexOf(current) + step + all.length) % all.length] ?? current)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key, current, onTab])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement
  && (target.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName))
