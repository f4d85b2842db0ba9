'use client'
import { useEffect, useRef, useState } from 'react'
import { runningIncidents } from '@/lib/view/notices/incidents'
import { type Notice, noticesBetween, type Tracked } from '@/lib/view/notices/notices'
import { newNotices, parseDelivered } from './delivered'
import { useCollectionUpdates } from './use-collection-updates'

/** Some incidents become blocked by time alone. */
const RECHECK_MS = 5_000

interface NoticeDeliveryProps {
  /** Each channel stores its delivered notices separately. */
  channel: 'notifications' | 'sound'
  deliver: (notices: readonly Notice[]) => void
}

/**
 * Delivers the start, the block and the end of visible failovers. When the page opens, running ones that this browser
 * has not delivered are delivered; finished ones are not.
 */
export function NoticeDelivery({ channel, deliver }: NoticeDeliveryProps) {
  const failovers = useCollectionUpdates('failover')
  const plans = useCollectionUpdates('plans')
  const summary = useCollectionUpdates('summary')
  const tracked = useRef<Tracked>({})
  const now = usePolledNow()
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
    const { deliver: fresh, delivered } = newNotices(parseDelivered(localStorage.getItem(key)), notices)
    localStorage.setItem(key, JSON.stringify(delivered))
    if (fresh.length > 0) deliver(fresh)
  }, [channel, failovers, plans, summary, deliver, now])
  return null
}

/** The time, as of a few seconds ago. */
function usePolledNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), RECHECK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
