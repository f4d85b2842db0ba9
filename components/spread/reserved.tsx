'use client'
import type { SubsetCountView } from '@/lib/view/spread-model'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'
import { expectedText, lastUntil } from './spread-words'

/** Until when the subset is skipped, or pods being created or deleted are waited for. Only text changes, once a second. */
export function Reserved({ count: { unschedulable, expected } }: { count: SubsetCountView }) {
  const text = useText()
  const now = useNow()
  if (now === 0) return null
  const left = (until: string) => text.format.duration(Date.parse(until) - now)
  const until = lastUntil(expected)
  const { counts, names } = expectedText(text, expected)
  return (
    <>
      {unschedulable && (
        <span
          className="block"
          title={text('spread.unschedulableSince', { time: { moment: unschedulable.since } })}
          data-testid="unschedulable-until"
          data-until={unschedulable.until}
        >
          <span className="text-ink-2">{text('spread.retry')} </span>
          {left(unschedulable.until)}
        </span>
      )}
      {until !== undefined && (
        <span className="block" title={names} data-testid="expected-pods">
          {counts}
          <span className="text-ink-2">, {text('spread.expires')} </span>
          {left(until)}
        </span>
      )}
      {!unschedulable && until === undefined && <span className="text-ink-2">—</span>}
    </>
  )
}
