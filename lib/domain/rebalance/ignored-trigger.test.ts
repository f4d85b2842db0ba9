import { describe, expect, test } from 'vitest'
import { type Binding, defaultProfile } from '../placement'
import { aBinding } from '../placement/testing/scheduled'
import { ignoredTrigger } from './ignored-trigger'

const [EARLIER, THEN, LATER] = ['2026-01-01T01:59:59Z', '2026-01-01T02:00:00Z', '2026-01-01T02:00:01Z'] as const

/** Scheduled at THEN. */
function version(triggered: string | undefined, lastScheduledTime: string | undefined = THEN): Binding {
  const binding = aBinding('web', { member1: 3 }, { ...(triggered && { rescheduleTriggeredAt: triggered }) })
  const { generation = 0 } = binding.metadata
  return {
    ...binding,
    metadata: { ...binding.metadata, generation: generation + (triggered ? 1 : 0) },
    status: { ...binding.status, schedulerObservedGeneration: generation, lastScheduledTime },
  }
}

describe('the scheduler', () => {
  test('ignores a trigger of the second of its last scheduling, and an earlier one', () => {
    expect(ignoredTrigger(version(undefined), version(THEN))).toEqual({ at: THEN, scheduledAt: THEN })
    expect(ignoredTrigger(version(undefined), version(EARLIER))).toEqual({ at: EARLIER, scheduledAt: THEN })
  })
  test('honors a later trigger, also if its version was observed only after the scheduling', () => {
    expect(ignoredTrigger(version(undefined), version(LATER))).toBeUndefined()
    expect(ignoredTrigger(version(undefined), version(LATER, LATER))).toBeUndefined()
  })
  test('honors one of the same second if the profile says so', () => {
    expect(ignoredTrigger(version(undefined), version(THEN), { profile: defaultProfile })).toBeUndefined()
  })
  test('needs no trigger for a workload that it never scheduled', () => {
    const { status: _, ...never } = version(undefined)
    expect(ignoredTrigger(never, version(THEN))).toBeUndefined()
  })
  test('does not honor an ignored trigger later, when it schedules for another reason', () => {
    const known = { at: THEN, scheduledAt: THEN }
    expect(ignoredTrigger(version(THEN), version(THEN, LATER), { known })).toEqual(known)
    expect(ignoredTrigger(version(THEN), version(LATER), { known })).toBeUndefined()
  })
  test('is not judged by a version whose trigger is older than the observed one', () => {
    expect(ignoredTrigger(undefined, version(THEN))).toBeUndefined()
    expect(ignoredTrigger(version(THEN), version(THEN, LATER))).toBeUndefined()
  })
})
