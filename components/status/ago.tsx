'use client'
import { formatAgo, formatMoment } from '@/lib/format'
import { useNow } from '../hooks/use-now'

/** How long ago something was; the moment itself is its title. */
export function Ago({ time, absent = 'never' }: { time: string | undefined; absent?: string }) {
  const now = useNow()
  if (time === undefined) return <span className="text-ink-2">{absent}</span>
  return (
    <time dateTime={time} title={`${formatMoment(time)} UTC`} className="whitespace-nowrap">
      {now === 0 ? '' : formatAgo(time, now)}
    </time>
  )
}
