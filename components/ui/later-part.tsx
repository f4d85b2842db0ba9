'use client'
import { type ComponentType, useEffect, useSyncExternalStore } from 'react'
import { afterPaint } from '../hooks/after-paint'
import { browserClock } from '../hooks/browser-clock'
import { Later } from '../hooks/later'
import { replaceOutdatedPage } from '../hooks/page-build'
import { whenSettled } from '../hooks/settled'
import { loadTexts } from '../messages/area-texts'

const nothing = () => undefined

/** A part of a page whose code is no part of the first paint; it is fetched right after it. */
export function laterPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  /** Stands in its place until then. */
  Waiting?: ComponentType,
): ComponentType<P> {
  return partOf(load, (want) => void want(), Waiting)
}

/** A part that stands below the picture which a page is about. */
export function lowerPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return partOf(load, afterPaint)
}

/**
 * Wraps a part that is closed when the page opens, such as a drawer. Its code is fetched after the page shows its data,
 * so that it is available on use, also while the server is unreachable.
 */
export function closedPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  // A part may be opened before the texts that follow the first picture are there.
  const withTexts = () => Promise.all([load(), loadTexts('later')]).then(([part]) => part)
  return partOf(withTexts, whenSettled)
}

function partOf<P extends object>(
  load: () => Promise<ComponentType<P>>,
  when: (want: () => void) => (() => void) | void,
  Waiting?: ComponentType,
): ComponentType<P> {
  const code = new Later(load, browserClock, replaceOutdatedPage)
  return function LaterPart(props: P) {
    const Part = useSyncExternalStore<ComponentType<P> | undefined>(code.subscribe, code.get, nothing)
    useEffect(() => when(code.want), [])
    return Part ? <Part {...props} /> : Waiting && <Waiting />
  }
}
