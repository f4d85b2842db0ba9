import type { TimelineEntryView } from '@/lib/view/model'

/** Successes that change where the workload runs. */
const SIGNIFICANT = new Set(['ScheduleBindingSucceed', 'EvictWorkloadFromClusterSucceed'])

/** True for the events with which the loops report that they did their work, as they do all day. */
export function isRoutine({ source, title, state }: Pick<TimelineEntryView, 'source' | 'title' | 'state'>): boolean {
  return (
    source === 'event'
    && state === 'ok'
    && typeof title === 'string'
    && title.endsWith('Succeed')
    && !SIGNIFICANT.has(title)
  )
}
