'use client'
import type { ObjectView } from '@/lib/view/member-model'
import type { useText } from '../messages/use-text'
import type { TabItem } from '../ui/tabs'
import { Events } from './events'
import { Problem } from './problem'

/** The events of an object, or why the user may not read them. */
export function eventsTab(
  text: ReturnType<typeof useText>,
  { events, eventsRefused }: Pick<ObjectView, 'events' | 'eventsRefused'>,
): TabItem {
  const tab = { value: 'events', label: text('pods.tab.events') }
  if (eventsRefused !== undefined) return { ...tab, content: <Problem>{eventsRefused}</Problem> }
  return { ...tab, count: events.length, content: <Events events={events} /> }
}
