'use client'
import { useLayoutEffect, useRef, useState } from 'react'

/** The width of an element in whole pixels; 0 until it is measured. */
export function useWidth<T extends HTMLElement>() {
  const element = useRef<T>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
