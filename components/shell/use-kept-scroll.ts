'use client'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type Position, ScrollMemory } from './scroll-memory'

const STORAGE_KEY = 'evenkeel.scroll'

/** As far as it is needed of the Navigation API; browsers that lack it begin at the top. */
interface History {
  navigation?: { currentEntry: { key: string } | null }
}

/** Names the place in the history, which stays the same when one comes back to it. */
const entryKey = (): string | undefined => (window as History).navigation?.currentEntry?.key

let memory: ScrollMemory | undefined

/** One for the tab, made in the browser, kept over a reload. */
function theMemory(): ScrollMemory {
  if (memory !== undefined) return memory
  const made = new ScrollMemory(sessionStorage.getItem(STORAGE_KEY))
  window.addEventListener('pagehide', () => sessionStorage.setItem(STORAGE_KEY, made.write()))
  memory = made
  return made
}

/**
 * Restores a scroll position after Back, Forward and a reload. Waits until enough rows are loaded, unless the user
 * scrolls first.
 */
export function useKeptScroll(scroller: RefObject<HTMLElement | null>, name: string): void {
  const wanted = useRef<Position>(undefined)
  useLayoutEffect(() => {
    const element = scroller.current
    const key = entryKey()
    if (element === null || key === undefined) return
    wanted.current = theMemory().recall(`${name} ${key}`)
    const { pathname } = window.location
    const onScroll = () => {
      const now = entryKey()
      // After Back the address is the next page's already, while this one is still there.
      if (now === undefined || window.location.pathname !== pathname || wanted.current !== undefined) return
      theMemory().note(`${name} ${now}`, { top: element.scrollTop, left: element.scrollLeft })
    }
    const giveUp = () => {
      wanted.current = undefined
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    for (const type of TOUCHES) element.addEventListener(type, giveUp, { passive: true })
    return () => {
      element.removeEventListener('scroll', onScroll)
      for (const type of TOUCHES) element.removeEventListener(type, giveUp)
    }
  }, [scroller, name])
  useLayoutEffect(() => {
    const element = scroller.current
    const to = wanted.current
    if (element === null || to === undefined || element.scrollHeight - element.clientHeight < to.top) return
    wanted.current = undefined
    element.scrollTo(to)
  })
}

/** Inputs by which users scroll themselves. */
const TOUCHES = ['wheel', 'pointerdown', 'keydown'] as const
