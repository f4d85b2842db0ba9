'use client'
import { useRouter } from 'next/navigation'
import { Suspense, useCallback } from 'react'
import { isEnd, type Notice } from '@/lib/view/notices/notices'
import { pageOfIncident } from '@/lib/view/notices/page'
import { useCommand } from '../hooks/use-shortcuts'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { canNotify, notify } from './notification'
import { SettingsDrawer } from './settings-drawer'
import { TabIndicator } from './tab-indicator'
import { NoticeDelivery } from './notice-delivery'
import { play } from './tones'
import { useLeaderTab, useWasUsed } from './use-leader-tab'
import { showSettings, useNoticeSettings } from './use-settings'

/** What tells about incidents in this browser, and its settings. Fetched after the page. */
export function Notices() {
  return (
    <Suspense fallback={null}>
      <AreaTexts area="notices">
        <TabIndicator />
        <Settings />
        <Notifications />
        <Sounds />
      </AreaTexts>
    </Suspense>
  )
}

function Settings() {
  const text = useText()
  useCommand({ label: text('notices.settings.title'), kind: 'console', run: () => showSettings(true) })
  return <SettingsDrawer />
}

/** More at once are told as one. */
const MAX_AT_ONCE = 3

function Notifications() {
  const text = useText()
  const router = useRouter()
  const { notifications } = useNoticeSettings()
  const isLeader = useLeaderTab('notifications', notifications && canNotify())
  const deliver = useCallback(
    (notices: readonly Notice[]) => {
      const open = (notice: Notice) => () => router.push(pageOfIncident(notice.incident))
      const latest = notices.at(-1)
      if (latest === undefined) return
      if (notices.length > MAX_AT_ONCE) {
        const body = text('notices.several', { n: notices.length, latest: latest.text })
        return notify({ body, tag: latest.id, open: () => router.push('/failover') })
      }
      for (const notice of notices) notify({ body: text.of(notice.text), tag: notice.incident.id, open: open(notice) })
    },
    [router, text],
  )
  return isLeader ? <NoticeDelivery channel="notifications" deliver={deliver} /> : null
}

function Sounds() {
  const { sound, volume } = useNoticeSettings()
  const wasUsed = useWasUsed()
  const isLeader = useLeaderTab('sound', sound !== 'off' && wasUsed)
  const deliver = useCallback(
    (notices: readonly Notice[]) =>
      void play(
        sound,
        volume,
        notices.every(({ event }) => isEnd(event)),
      ),
    [sound, volume],
  )
  return isLeader ? <NoticeDelivery channel="sound" deliver={deliver} /> : null
}
