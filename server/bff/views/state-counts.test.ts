import { describe, expect, it } from 'vitest'
import { seededRng } from '@/lib/std/rng'
import type { State, StateView } from '@/lib/view/model'
import { EVERYTHING, emptyScope } from '../access/scope'
import { StateCounts } from './state-counts'

const STATES: readonly State[] = ['ok', 'active', 'warn', 'fail', 'held', 'unknown']

/** Rows whose states are set by hand; `reads` counts how often a row was read. */
function rowsOf(states: Map<string, State>) {
  const rows = {
    reads: 0,
    ids: () => [...states.keys()],
    row: (id: string) => {
      rows.reads += 1
      const state = states.get(id)
      return state && { state: { state } as StateView }
    },
  }
  return rows
}

const none = { ok: 0, active: 0, warn: 0, fail: 0, held: 0, unknown: 0 }

describe('the counts of states', () => {
  it('read only touched rows again', () => {
    const rows = rowsOf(
      new Map([
        ['a', 'ok' as State],
        ['b', 'ok'],
      ]),
    )
    const counts = new StateCounts(rows)
    expect(counts.in(EVERYTHING)).toEqual({ ...none, ok: 2 })
    expect(rows.reads).toBe(2)
    counts.touch('b')
    counts.touch('b')
    counts.in(EVERYTHING)
    expect(rows.reads).toBe(3)
  })

  it('can be read a part at a time, also while rows change', () => {
    const states = new Map(Array.from({ length: 5 }, (_, at) => [`w${at}`, 'ok' as State]))
    const rows = rowsOf(states)
    const counts = new StateCounts(rows)
    const two = () => {
      const until = rows.reads + 2
      return () => rows.reads >= until
    }
    expect(counts.read(EVERYTHING, two())).toBe(false)
    states.set('w0', 'fail')
    counts.touch('w0')
    expect([counts.read(EVERYTHING, two()), rows.reads]).toEqual([false, 4])
    expect([counts.read(EVERYTHING, two()), rows.reads]).toEqual([true, 6])
    expect(counts.in(EVERYTHING)).toEqual({ ...none, ok: 4, fail: 1 })
    expect(rows.reads).toBe(6)
  })

  it('are those of a whole count after any changes, in every scope and after any absence', () => {
    const random = seededRng(4711)
    const states = new Map<string, State>()
    const counts = new StateCounts(rowsOf(states))
    const scopes = [EVERYTHING, emptyScope('one'), emptyScope('another')]
    for (let round = 0; round < 300; round += 1) {
      // Some rounds are longer than what is remembered.
      for (let changes = random.below(round % 50 === 49 ? 60_000 : 40); changes > 0; changes -= 1) {
        const id = `w${random.below(200)}`
        if (random.next() < 0.3) states.delete(id)
        else states.set(id, STATES[random.below(STATES.length)]!)
        counts.touch(id)
      }
      if (random.next() < 0.3) counts.read(scopes[random.below(scopes.length)]!, () => random.next() < 0.1)
      expect(counts.in(scopes[random.below(scopes.length)]!)).toEqual(new StateCounts(rowsOf(states)).in(EVERYTHING))
    }
  })
})
