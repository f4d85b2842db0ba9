'use client'
import type { FailoverView } from '@/lib/view/failover-model'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'

/** Shows the next event and the remaining time. Only its text changes each second. */
export function Countdown({ deadline: { at, meaning } }: { deadline: NonNullable<FailoverView['deadline']> }) {
  const text = useText()
  const now = useNow()
  if (now === 0) return null
  const left = Date.parse(at) - now
  return (
    <span
      className="whitespace-nowrap"
      title={text('common.moment', { time: { moment: at } })}
      data-testid="countdown"
      data-meaning={meaning}
    >
      {left > 0 ? (
        <>
          <span className="text-ink-2">{text(`failover.deadline.${meaning}`)} </span>
          {text.format.duration(left)}
        </>
      ) : (
        text(`failover.due.${meaning}`)
      )}
    </span>
  )
}
