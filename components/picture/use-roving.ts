'use client'
import { type KeyboardEvent, useRef, useState } from 'react'

/** The mark that an arrow key leads to from another one. */
type Step = (from: number, key: string) => number

/** One of many marks is in the order of the Tab key; arrows move on, by default to the next or the one before. */
export function useRoving(count: number, step: Step = stepInLine(count)) {
  const [current, setCurrent] = useState(0)
  const marks = useRef(new Map<number, HTMLElement | SVGElement>())
  const inOrder = Math.min(current, count - 1)
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (!event.key.startsWith('Arrow')) return
    event.preventDefault()
    const next = step(index, event.key)
    setCurrent(next)
    marks.current.get(next)?.focus()
  }
  return {
    propsOf: (index: number, onFocus?: () => void) => ({
      ref: (mark: HTMLElement | SVGElement | null) => {
        if (mark === null) marks.current.delete(index)
        else marks.current.set(index, mark)
      },
      tabIndex: index === inOrder ? 0 : -1,
      onFocus: () => {
        setCurrent(index)
        onFocus?.()
      },
      onKeyDown: (event: KeyboardEvent) => onKeyDown(event, index),
    }),
  }
}

/** Right and down lead to the next mark, left and up to the one before. */
export function stepInLine(count: number): Step {
  return (from, key) =>
    key === 'ArrowRight' || key === 'ArrowDown' ? Math.min(from + 1, count - 1) : Math.max(from - 1, 0)
}
