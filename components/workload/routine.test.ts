import { describe, expect, it } from 'vitest'
import type { TimelineEntryView } from '@/lib/view/model'
import { isRoutine } from './routine'

describe('routine entries of a timeline', () => {
  const cases: [name: string, entry: Pick<TimelineEntryView, 'source' | 'title' | 'state'>, routine: boolean][] = [
    ['are successes of the loops', { source: 'event', title: 'AggregateStatusSucceed', state: 'ok' }, true],
    ['are not where it was scheduled to', { source: 'event', title: 'ScheduleBindingSucceed', state: 'ok' }, false],
    ['are not evictions', { source: 'event', title: 'EvictWorkloadFromClusterSucceed', state: 'ok' }, false],
    ['are not failures', { source: 'event', title: 'SyncFailed', state: 'warn' }, false],
    ['are never conditions', { source: 'condition', title: 'Succeed', state: 'ok' }, false],
  ]
  it.each(cases)('%s', (_name, entry, routine) => {
    expect(isRoutine(entry)).toBe(routine)
  })
})
