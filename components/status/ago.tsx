'use client'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'

/** How long ago something was; the moment itself is its title. */
export function Ago({ time, absent }: { time: string | undefined; absent?: string }) {
  const now = useNow()
  const text = useText()
  if (time === undefined) return <span className="text-ink-2">{absent ?? text('common.never')}</span>
  return (
    <time dateTime={time} title={text('common.moment', { time: { moment: time } })} className="whitespace-nowrap">
      {now === 0 ? '' : text.format.ago(time, now)}
    </time>
  )
}
