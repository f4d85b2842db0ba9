import { describe, expect, it } from 'vitest'
import { sortRows } from '../hooks/sorting'
import { PENDING_SORTS, workloadsAheadOf, positionWith, selectPending } from './pending-order'
import { pendingWorkload } from './testing/samples'

const at = (minute: number) => `2026-11-21T18:${String(minute).padStart(2, '0')}:00Z`
const line = [
  pendingWorkload('urgent', { position: 1, priority: 1000, priorityClass: 'urgent', since: at(9), reason: 'quota' }),
  pendingWorkload('old', { position: 2, since: at(1), reason: 'quota', next: true }),
  pendingWorkload('middle', { position: 3, since: at(2) }),
  pendingWorkload('young', { position: 4, since: at(5) }),
]
const names = (entries: readonly { ref: { name: string } }[]) => entries.map(({ ref }) => ref.name)
const idOf = (name: string) => line.find(({ ref }) => ref.name === name)?.id ?? ''

describe('pending workloads', () => {
  it.each([
    ['class=urgent', ['urgent']],
    ['reason=quota', ['urgent', 'old']],
    ['next=yes', ['old']],
    ['young', ['young']],
    ['ns=elsewhere', []],
  ])('filtered by “%s” has %j', (filter, expected) => {
    expect(names(selectPending(line, filter))).toEqual(expected)
  })

  it.each([
    ['', ['urgent', 'old', 'middle', 'young']],
    ['-position', ['young', 'middle', 'old', 'urgent']],
    ['workload', ['middle', 'old', 'urgent', 'young']],
    ['-class', ['urgent', 'old', 'middle', 'young']],
    ['since', ['old', 'middle', 'young', 'urgent']],
  ])('sorted by “%s” is %j', (text, expected) => {
    expect(names(sortRows(line, PENDING_SORTS, text))).toEqual(expected)
  })

  it('says which are ahead', () => {
    expect(names(workloadsAheadOf(line, idOf('middle')))).toEqual(['urgent', 'old'])
    expect(workloadsAheadOf(line, idOf('urgent'))).toEqual([])
    expect(workloadsAheadOf(line, 'nobody')).toEqual([])
  })

  it.each([
    ['young', 1000, 1],
    ['young', 2000, 1],
    ['old', 1000, 1],
    ['young', 500, 2],
    ['urgent', 0, 4],
    ['old', 0, 2],
    ['old', -1, 4],
  ])('puts %s with priority %d at %d', (name, priority, position) => {
    expect(positionWith(line, idOf(name), priority)).toBe(position)
  })

  it('does not count who was suspended by a person', () => {
    const with2 = [
      ...line,
      pendingWorkload('kept', { position: 5, priority: 5000, since: at(0), reason: 'SuspendedByOther' }),
    ]
    expect(positionWith(with2, idOf('old'), 2000)).toBe(1)
    expect(
      names(workloadsAheadOf([...with2, pendingWorkload('last', { position: 6 })], pendingWorkload('last').id)),
    ).toEqual(['urgent', 'old', 'middle', 'young'])
  })

  it('has no place for who does not wait', () => {
    expect(positionWith(line, 'nobody', 1)).toBeUndefined()
  })
})
