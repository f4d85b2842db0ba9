'use client'
import { type ComponentType, useEffect, useSyncExternalStore } from 'react'
import { browserClock } from '../hooks/browser-clock'
import { Later } from '../hooks/later'

const nothing = () => undefined

/**
 * A part of a page that is closed when the page opens, such as a drawer. Its code is no part of the first paint; it is
 * fetched right after it, so that it is at hand when it is wanted, also while the server is away.
 */
export function laterPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  /** Stands in its place until then. */
  Waiting?: ComponentType,
): ComponentType<P> {
  const code = new Later(load, browserClock)
  return function LaterPart(props: P) {
    const Part = useSyncExternalStore<ComponentType<P> | undefined>(code.subscribe, code.get, nothing)
    useEffect(() => code.want(), [])
    return Part ? <Part {...props} /> : Waiting && <Waiting />
  }
}
