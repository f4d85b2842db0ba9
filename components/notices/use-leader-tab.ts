'use client'
import { useEffect, useState, useSyncExternalStore } from 'react'

/**
 * Returns true in one of the browser's tabs that want it; when that tab closes, another one takes over. Always false in
 * browsers without Web Locks, which also lack notifications.
 */
export function useLeaderTab(name: string, wanted: boolean): boolean {
  const [isLeader, setIsLeader] = useState(false)
  useEffect(() => {
    const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>
    if (!wanted || locks === undefined) return
    const { signal, abort } = abortable()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    locks
      .request(`evenkeel.${name}`, { signal }, () => {
        setIsLeader(true)
        return held
      })
      .catch(() => undefined)
    return () => {
      setIsLeader(false)
      abort()
      release()
    }
  }, [name, wanted])
  return isLeader
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

function onFirstInput(deliver: () => void): () => void {
  const options = { capture: true, passive: true }
  for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, deliver, options)
  return () => {
    for (const event of ['pointerdown', 'keydown']) window.removeEventListener(event, deliver, options)
  }
}

/** True once the user has interacted with this tab: browsers play no sound before. */
export const useWasUsed = (): boolean =>
  useSyncExternalStore(
    onFirstInput,
    () => (navigator as Partial<Navigator>).userActivation?.hasBeenActive ?? true,
    () => false,
  )
