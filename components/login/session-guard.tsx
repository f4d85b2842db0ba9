'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loginAddress } from '@/lib/view/login'
import { onLoginRequired, renewSession } from '../hooks/actions'
import { browserClock } from '../hooks/browser-clock'
import { keepSession } from './keep-session'
import { SESSION_KEY, useSession } from './use-session'
import { wayOut } from './way-out'

/** Leads to the login page when the session has ended, and renews the session of an active user. */
export function SessionGuard() {
  const { data: session } = useSession()
  useEffect(() => onLoginRequired(leaveForLogin), [])
  useLookWhenRefused()
  const everyMs = session?.idle?.renewEveryMs
  useEffect(() => (everyMs === undefined ? undefined : keepWhileUsed(everyMs)), [everyMs])
  return null
}

/** The address is kept for the way back. */
function leaveForLogin(): void {
  const { pathname, search, hash } = window.location
  wayOut.leave(loginAddress(`${pathname}${search}${hash}`))
}

const SIGNS_OF_LIFE = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

function keepWhileUsed(everyMs: number): () => void {
  // Whether it is refused, the next look shows.
  const renew = (): void => void renewSession().catch(() => undefined)
  const keeper = keepSession({ clock: browserClock, everyMs, renew })
  const active = (): void => keeper.active()
  for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, active, { passive: true })
  return () => {
    keeper.stop()
    for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, active)
  }
}

/** A stream that is refused may mean that the session has ended: that is looked at, at once. */
function useLookWhenRefused(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        const [what] = query.queryKey as readonly unknown[]
        const { phase } = (query.state.data ?? {}) as { phase?: string }
        const isLooking = client.getQueryState(SESSION_KEY)?.fetchStatus === 'fetching'
        if (type === 'updated' && what === 'live' && phase === 'refused' && !isLooking)
          void client.invalidateQueries({ queryKey: SESSION_KEY })
      }),
    [client],
  )
}
