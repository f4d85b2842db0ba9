'use client'
import { formatDuration, formatMoment } from '@/lib/format'
import type { SubsetCountView } from '@/lib/view/spread-model'
import { useNow } from '../hooks/use-now'
import { expectedText, lastUntil } from './spread-words'

/** Until when the subset is passed over, or places are kept for pods that are on their way. Only text changes, once a second. */
export function Reserved({ count: { closed, expected } }: { count: SubsetCountView }) {
  const now = useNow()
  if (now === 0) return null
  const until = lastUntil(expected)
  const { text, names } = expectedText(expected)
  return (
    <>
      {closed && (
        <span
          className="block"
          title={`No room since ${formatMoment(closed.since)} UTC`}
          data-testid="closed-until"
          data-until={closed.until}
        >
          <span className="text-ink-2">tries again in </span>
          {left(closed.until, now)}
        </span>
      )}
      {until !== undefined && (
        <span className="block" title={names} data-testid="expected-pods">
          {text}
          <span className="text-ink-2">, given up in </span>
          {left(until, now)}
        </span>
      )}
      {!closed && until === undefined && <span className="text-ink-2">—</span>}
    </>
  )
}

function left(until: string, now: number): string {
  const span = Date.parse(until) - now
  return span > 0 ? formatDuration(span) : '0 s'
}
