'use client'
import { type ReactNode, useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Renders its children in the browser only; the server has neither data nor time zone, and renders the fallback. */
export function InBrowser({ children, fallback }: { children: ReactNode; fallback: ReactNode }) {
  const here = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return here ? children : fallback
}
