'use client'
import { formatDuration, formatMoment } from '@/lib/format'
import type { FailoverView } from '@/lib/view/failover-model'
import { useNow } from '../hooks/use-now'
import { deadlineWord } from './failover-words'

/** What comes next and in how long: text that changes once a second, and nothing else moves. */
export function Countdown({ deadline }: { deadline: NonNullable<FailoverView['deadline']> }) {
  const now = useNow()
  if (now === 0) return null
  const left = Date.parse(deadline.at) - now
  return (
    <span
      className="whitespace-nowrap"
      title={`${formatMoment(deadline.at)} UTC`}
      data-testid="countdown"
      data-meaning={deadline.meaning}
    >
      <span className="text-ink-2">{deadlineWord(deadline.meaning)} </span>
      {left > 0 ? formatDuration(left) : 'due now'}
    </span>
  )
}
