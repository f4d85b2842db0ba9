'use client'
import type { EventView } from '@/lib/view/member-model'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { StateGlyph } from '../status/state-glyph'

/** Events of an object, the latest first. */
export function Events({ events }: { events: readonly EventView[] }) {
  const text = useText()
  if (events.length === 0) return <p className="text-ink-2">{text('pods.noEvents')}</p>
  return (
    <ul className="flex flex-col gap-2" data-testid="pod-events">
      {events.map((event) => (
        <li key={`${event.reason} ${event.message} ${event.lastAt}`} className="flex gap-2 border-b border-line pb-2">
          <span className="flex h-5 items-center">
            <StateGlyph state={event.type === 'Warning' ? 'warn' : 'ok'} />
          </span>
          <span className="min-w-0 grow">
            <span className="font-medium">{event.reason}</span>{' '}
            {event.count > 1 && <span className="text-ink-2">{text('pods.times', { n: event.count })} </span>}
            <span className="break-words text-ink-2">{event.message}</span>
          </span>
          <Ago time={event.lastAt} />
        </li>
      ))}
    </ul>
  )
}
