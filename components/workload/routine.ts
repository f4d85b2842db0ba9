import type { TimelineEntryView } from '@/lib/view/model'

/** Successes that tell where something went, and so belong to its story. */
const TELLING = new Set(['ScheduleBindingSucceed', 'EvictWorkloadFromClusterSucceed'])

/** True for the events with which the loops report that they did their work, as they do all day. */
export function isRoutine({ source, title, state }: Pick<TimelineEntryView, 'source' | 'title' | 'state'>): boolean {
  return source === 'event' && state === 'ok' && title.endsWith('Succeed') && !TELLING.has(title)
}
