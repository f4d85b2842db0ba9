'use client'
import { useKeyDown } from '../hooks/use-key-down'

/** `[` and `]` go through the tabs of a drawer, which the keys of the page do not reach. */
export function useTabKeys(tabs: readonly string[], current: string, onTab: (tab: string) => void): void {
  useKeyDown((event) => {
    const step = event.key === ']' ? 1 : event.key === '[' ? -1 : 0
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    onTab(tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length] ?? current)
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement
  && (target.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName))
