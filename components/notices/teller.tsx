'use client'
import { useEffect, useRef, useState } from 'react'
import { runningIncidents } from '@/lib/view/notices/incidents'
import { type Notice, noticesBetween, type Tracked } from '@/lib/view/notices/notices'
import { newNotices, parseTold } from './told'
import { useListened } from './use-listened'

/** Some incidents become blocked by time alone. */
const LOOK_AGAIN_MS = 5_000

interface TellerProps {
  /** Each channel stores its delivered notices separately. */
  channel: 'notifications' | 'sound'
  tell: (notices: readonly Notice[]) => void
}

/**
 * Delivers the start, the block and the end of failovers that the user sees. When the page opens, running ones that
 * this browser has not delivered are delivered; finished ones are not.
 */
export function Teller({ channel, tell }: TellerProps) {
  const failovers = useListened('failover')
  const plans = useListened('plans')
  const summary = useListened('summary')
  const tracked = useRef<Tracked>({})
  const now = useNowAndThen()
  useEffect(() => {
    // Where rights were lost, what ran has not ended.
    if (failovers.refused) tracked.current = {}
    const counts = summary.entities.get('now')
    if (!failovers.loaded || failovers.refused || counts === undefined || !(plans.loaded || plans.refused)) return
    const running = runningIncidents({
      failovers: [...failovers.entities.values()].flatMap((entry) => entry.failovers),
      plans: plans.entities.values(),
      byCluster: counts.clusters !== undefined,
      now,
    })
    const { after, notices } = noticesBetween(tracked.current, running, now)
    tracked.current = after
    if (notices.length === 0) return
    const key = `evenkeel.notices.${channel}`
    const { tell: fresh, told } = newNotices(parseTold(localStorage.getItem(key)), notices)
    localStorage.setItem(key, JSON.stringify(told))
    if (fresh.length > 0) tell(fresh)
  }, [channel, failovers, plans, summary, tell, now])
  return null
}

/** The time, as of a few seconds ago. */
function useNowAndThen(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
