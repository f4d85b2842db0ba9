'use client'
import { useCallback, useEffect, useRef, useState, type FocusEvent } from 'react'

/** A pointer that rests this long belongs to a wall display, not to a user who is about to click. */
const POINTER_IDLE_MS = 10_000

export interface Calm {
  /** True while the pointer or the keyboard focus is in the region. */
  attended: boolean
  regionProps: {
    onPointerMove: () => void
    onPointerLeave: () => void
    onFocus: () => void
    onBlur: (event: FocusEvent<HTMLElement>) => void
  }
}

/** Watches whether a region is under the pointer or has the focus, so that its rows can be held. */
export function useCalm(): Calm {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const rest = useCallback(() => setPointed(false), [])
  useEffect(() => () => clearTimeout(timer.current), [])
  const onPointerMove = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(rest, POINTER_IDLE_MS)
    setPointed(true)
  }, [rest])
  const onFocus = useCallback(() => setFocused(true), [])
  const onBlur = useCallback((event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
  }, [])
  return { attended: pointed || focused, regionProps: { onPointerMove, onPointerLeave: rest, onFocus, onBlur } }
}
