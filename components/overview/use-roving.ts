'use client'
import { type KeyboardEvent, useRef, useState } from 'react'
import { neighbour } from './layout'
import type { Box } from './places'

/** One of many marks is in the order of the Tab key; arrows move to the nearest in their direction. */
export function useRoving(places: readonly Box[]) {
  const [current, setCurrent] = useState(0)
  const links = useRef(new Map<number, HTMLElement>())
  const inOrder = Math.min(current, places.length - 1)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    if (!event.key.startsWith('Arrow')) return
    event.preventDefault()
    const next = neighbour(places, index, event.key)
    setCurrent(next)
    links.current.get(next)?.focus()
  }
  return {
    propsOf: (index: number, onFocus?: () => void) => ({
      ref: (link: HTMLAnchorElement | null) => {
        if (link === null) links.current.delete(index)
        else links.current.set(index, link)
      },
      tabIndex: index === inOrder ? 0 : -1,
      onFocus: () => {
        setCurrent(index)
        onFocus?.()
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, index),
    }),
  }
}
