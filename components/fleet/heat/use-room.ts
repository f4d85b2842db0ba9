'use client'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** The size inside of an element in pixels; 0 until it is measured. */
export function useRoom(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [room, setRoom] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => {
      const [width, height] = [current.clientWidth, current.clientHeight]
      setRoom((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [element])
  return room
}
