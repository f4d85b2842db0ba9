import { describe, expect, test } from 'vitest'
import { byAvailableReplicas } from '@/lib/testing/builders'
import type { Binding } from '../placement'
import { aBinding } from '../placement/testing/scheduled'
import { backlogOf, remainingOf } from './run'
import { workloadKey } from './sync-status'
import { workloadOf } from './select'

const [FIRST, LATER] = [1000, 2000]

const bound = (name: string, status: Partial<NonNullable<Binding['status']>>, generation = 2): Binding => {
  const { metadata, ...rest } = aBinding(name, { member1: 1 }, { placement: byAvailableReplicas() })
  return { ...rest, metadata: { ...metadata, generation }, status: { ...rest.status, ...status } }
}
const waiting = (name: string): Binding => bound(name, { schedulerObservedGeneration: 1 })
const decided = (name: string): Binding => bound(name, { schedulerObservedGeneration: 2 })
const among =
  (...bindings: Binding[]) =>
  (workload: Parameters<typeof workloadKey>[0]): Binding | undefined =>
    bindings.find((binding) => workloadKey(workloadOf(binding)) === workloadKey(workload))

describe('what the scheduler had to do before the requests of a plan', () => {
  test('is what it has not decided on and may decide on', () => {
    const { spec, ...rest } = waiting('suspended')
    const suspended = { ...rest, spec: { ...spec, suspension: { scheduling: true } } }
    const { waiting: found } = backlogOf([waiting('a'), decided('b'), suspended])
    expect(found.map(({ workload }) => workload.name)).toEqual(['a'])
  })

  test('shows progress when the scheduler decides on some of it', () => {
    const backlog = backlogOf([waiting('a'), waiting('b')])
    const same = remainingOf(backlog, among(waiting('a'), waiting('b')), FIRST)
    expect(same.progressAt).toBeUndefined()
    const less = remainingOf(same, among(decided('a'), waiting('b')), FIRST)
    expect([less.progressAt, less.waiting.length]).toEqual([FIRST, 1])
    const still = remainingOf(less, among(decided('a'), waiting('b')), LATER)
    expect([still.progressAt, still.waiting.length]).toEqual([FIRST, 1])
  })

  test('shows progress on a binding that has changed again since', () => {
    const again = bound('a', { schedulerObservedGeneration: 2 }, 3)
    expect(remainingOf(backlogOf([waiting('a')]), among(again), FIRST)).toEqual({ waiting: [], progressAt: FIRST })
  })

  test('shows none by deletions and by what arrives later', () => {
    const backlog = backlogOf([waiting('a'), waiting('b')])
    expect(remainingOf(backlog, among(waiting('b'), decided('new')), FIRST)).toEqual({
      waiting: backlog.waiting.slice(1),
    })
  })
})
