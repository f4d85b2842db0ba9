'use client'
import { useState } from 'react'
import type { HoldView, QueueDetailView } from '@/lib/view/queue-model'
import { Button } from '../ui/button'
import { Warning } from './action-drawer'

/**
 * Whether what a panel is about still looks as it did when the panel opened. Then what the reader decided goes for the
 * version that there is now; else nothing is sent, for it was decided on something else.
 */
export function useOpened(part: unknown): { isSame: boolean } {
  const now = JSON.stringify(part ?? null)
  const [opened] = useState(now)
  return { isSame: opened === now }
}

/** What people set of a hold, without what becomes of it. */
export function setOf(hold: HoldView | undefined): unknown {
  return hold && [hold.by, hold.reason, hold.until, hold.includePlaced, hold.resume?.step]
}

/** The version to send along with an order about a queue. */
export const seenOf = ({ settings }: QueueDetailView): { ifMatch?: string } =>
  settings === undefined ? {} : { ifMatch: settings.version }

interface OvertakenProps {
  /** What there is now, in a sentence. */
  sentence: string
  onStartOver: () => void
}

/** Says that somebody else was quicker, and what there is now. */
export function Overtaken({ sentence, onStartOver }: OvertakenProps) {
  return (
    <div role="alert" className="flex flex-col items-start gap-2" data-testid="overtaken-by">
      <Warning>{sentence} Nothing of what you chose here has been asked for.</Warning>
      <Button onClick={onStartOver}>Start over</Button>
    </div>
  )
}

/** How the hold of a queue is now. */
export function holdNow({ queue: { hold }, lastHold }: QueueDetailView): string {
  if (hold === undefined) return `The hold was ended meanwhile${lastHold?.endedBy ? ` by ${lastHold.endedBy}` : ''}.`
  const step = hold.resume ? `, and it is being resumed, ${hold.resume.step} at a time` : ''
  const who = hold.by ?? 'somebody'
  return `The queue was put on hold or its hold was changed meanwhile: by ${who}, “${hold.reason}”${step}.`
}
