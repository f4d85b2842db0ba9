import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entity } from '@/lib/view/live-client'
import { TopicLog } from './topic-log'

interface Item extends Entity {
  value: number
}
const item = (id: string, value: number): Item => ({ id, value })
const present = (...items: (Item | string)[]): Map<string, Item | undefined> =>
  new Map(items.map((each) => (typeof each === 'string' ? [each, undefined] : [each.id, each])))

describe('the log of a topic', () => {
  test('counts a revision for each change, and none when nothing changed', () => {
    const log = new TopicLog({ epoch: 'e' })
    expect(log.apply(present(item('a', 1), item('b', 1)))).toBe(true)
    const kept = log.get('a')
    expect(log.apply(present(item('a', 1), 'z'))).toBe(false)
    expect(log.get('a')).toBe(kept)
    expect(log.position).toEqual({ epoch: 'e', revision: 1 })
  })

  test('answers with the latest state of each entity, once', () => {
    const log = new TopicLog({ epoch: 'e' })
    log.apply(present(item('a', 1), item('b', 1), item('c', 1)))
    log.apply(present(item('a', 2), 'b'))
    log.apply(present(item('a', 3)))
    expect(log.since(1)).toEqual({ from: 1, revision: 3, changed: [item('a', 3)], removed: ['b'] })
    expect(log.since(3)).toBeUndefined()
  })

  test('does not name an entity as removed that came back', () => {
    const log = new TopicLog({ epoch: 'e' })
    log.apply(present(item('a', 1)))
    log.apply(present('a'))
    log.apply(present(item('a', 2)))
    expect(log.since(1)).toEqual({ from: 1, revision: 3, changed: [item('a', 2)], removed: [] })
  })

  test('admits that it forgot', () => {
    const log = new TopicLog({ epoch: 'e', mostRemovals: 1 })
    log.apply(present(item('a', 1), item('b', 1)))
    log.apply(present('a'))
    log.apply(present('b'))
    expect([0, 1, 2, 3].map((revision) => log.remembers({ epoch: 'e', revision }))).toEqual([false, false, true, true])
    expect(log.remembers({ epoch: 'e', revision: 4 })).toBe(false)
    expect(log.remembers({ epoch: 'other', revision: 3 })).toBe(false)
  })

  test('costs what there is, not what happened: old changes of the same entity are forgotten', () => {
    const log = new TopicLog({ epoch: 'e' })
    log.apply(present(item('b', 0)))
    for (let value = 0; value < 10_000; value++) log.apply(present(item('a', value)))
    expect(log.changesSince(0)).toBeLessThan(100)
    expect(log.since(1)?.changed).toEqual([item('a', 9_999)])
    expect(log.since(0)?.changed).toEqual([item('b', 0), item('a', 9_999)])
  })

  test('leads to what others may see, even from a past revision', () => {
    const [all, some] = [new TopicLog({ epoch: 'all' }), new TopicLog({ epoch: 'some' })]
    all.apply(present(item('a', 1), item('b', 1), item('c', 1)))
    all.apply(present(item('a', 2), 'c'))
    some.apply(present(item('a', 2), item('d', 1)))
    expect(all.toward(some, 2)).toEqual({ changed: [item('d', 1)], removed: ['b'] })
    expect(all.toward(some, 1)).toEqual({ changed: [item('a', 2), item('d', 1)], removed: ['b', 'c'] })
  })

  const change = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.option(fc.nat(3), { nil: undefined })), {
    minLength: 1,
    maxLength: 3,
  })

  test('every remembered past leads to the present through one delta', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), fc.integer({ min: 0, max: 3 }), (changes, mostRemovals) => {
        const log = new TopicLog({ epoch: 'e', mostRemovals })
        const past: Map<string, Entity>[] = [new Map()]
        for (const entries of changes) {
          log.apply(new Map(entries.map(([id, value]) => [id, value === undefined ? undefined : item(id, value)])))
          past[log.position.revision] = new Map(log.entities().map((entity) => [entity.id, entity]))
        }
        for (const [revision, entities] of past.entries()) {
          if (!log.remembers({ epoch: 'e', revision })) continue
          const { changed = [], removed = [] } = log.since(revision) ?? {}
          for (const id of removed) entities.delete(id)
          for (const entity of changed) entities.set(entity.id, entity)
          expect([...entities.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
            log.entities().sort((a, b) => (a.id < b.id ? -1 : 1)),
          )
        }
      }),
      { seed: 7443 },
    )
  })
})
