'use client'
import { useState } from 'react'
import { message, type Message } from '@/lib/messages'
import type { HoldView, QueueDetailView } from '@/lib/view/queue-model'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'
import { Warning } from '../queue-actions/action-drawer'

/**
 * Reports whether the subject of a panel is unchanged since the panel opened. Otherwise no order is sent, because the
 * reader decided on an outdated state.
 */
export function useOpened(part: unknown): { isSame: boolean } {
  const now = JSON.stringify(part ?? null)
  const [opened] = useState(now)
  return { isSame: opened === now }
}

/** What users set of a hold, without its progress. */
export function settingsOfHold(hold: HoldView | undefined): unknown {
  return hold && [hold.by, hold.reason, hold.until, hold.includePlaced, hold.resume?.step]
}

/** The version to send along with an action on a queue. */
export const seenOf = ({ settings }: QueueDetailView): { ifMatch?: string } =>
  settings === undefined ? {} : { ifMatch: settings.version }

interface ChangedMeanwhileProps {
  /** The current state. */
  now: Message
  onStartOver: () => void
}

/** Says that another user changed the subject, and its current state. */
export function ChangedMeanwhile({ now, onStartOver }: ChangedMeanwhileProps) {
  const text = useText()
  return (
    <div role="alert" className="flex flex-col items-start gap-2" data-testid="changed-meanwhile">
      <Warning>
        {text.of(now)} {text('queues.changed.notSent')}
      </Warning>
      <Button onClick={onStartOver}>{text('queues.changed.startOver')}</Button>
    </div>
  )
}

/** The current hold of a queue. */
export function currentHold({ queue: { hold }, lastHold }: QueueDetailView): Message {
  if (hold === undefined) return message('queues.changed.ended', { by: lastHold?.endedBy ?? 'none' })
  const about = { by: hold.by ?? 'none', reason: hold.reason }
  return hold.resume
    ? message('queues.changed.resuming', { ...about, step: hold.resume.step })
    : message('queues.changed.held', about)
}
