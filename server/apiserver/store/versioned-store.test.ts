import { expect, test } from 'vitest'
import { seededRng } from '@/lib/std/rng'
import { at, sample } from '../testing/store-conformance'
import type { Log, LogBatch } from './log'
import { createMemoryStore } from './memory'
import type { Entry } from './store'
import { openStore } from './versioned-store'

/** A log whose commits settle when the test says so. */
class ManualLog implements Log {
  readonly content = { records: [], compacted: 0, revision: 0 }
  readonly batches: LogBatch[] = []
  #commit = Promise.withResolvers<void>()
  #begun = Promise.withResolvers<void>()

  commit(batch: LogBatch): Promise<void> {
    this.batches.push(batch)
    this.#commit = Promise.withResolvers<void>()
    this.#begun.resolve()
    return this.#commit.promise
  }

  async begun(): Promise<void> {
    await this.#begun.promise
    this.#begun = Promise.withResolvers<void>()
  }

  succeed(): void {
    this.#commit.resolve()
  }

  fail(): void {
    this.#commit.reject(new Error('disk full'))
  }

  async close(): Promise<void> {}
}

const keysOf = (batch: LogBatch | undefined): string[] | undefined => batch?.records.map((record) => record.key)

test('makes one commit of all writes that arrive during another, and announces in order', async () => {
  const log = new ManualLog()
  const store = openStore(log)
  const announced: number[][] = []
  store.subscribe((events) => announced.push(events.map((event) => event.revision)))
  const first = store.put(at('n/a'), sample('a', '1'), 0)
  await log.begun()
  const others = [store.put(at('n/b'), sample('b', '1'), 0), store.put(at('n/c'), sample('c', '1'), 0)]
  const settled = store.settled()
  expect(announced).toEqual([])
  log.succeed()
  await first
  await log.begun()
  expect(announced).toEqual([[1]])
  log.succeed()
  await Promise.all([...others, settled])
  expect(log.batches.map(keysOf)).toEqual([['n/a'], ['n/b', 'n/c']])
  expect(announced).toEqual([[1], [2, 3]])
})

test('a commit that fails takes back its writes and those made meanwhile, and repeats no revision', async () => {
  const log = new ManualLog()
  const store = openStore(log)
  const announced: number[] = []
  store.subscribe((events) => announced.push(...events.map((event) => event.revision)))
  const kept = store.put(at('n/a'), sample('a', '1'), 0)
  await log.begun()
  log.succeed()
  const { revision } = await kept
  const lost = store.put(at('n/a'), sample('a', '2'), revision)
  await log.begun()
  const built = store.put(at('n/a'), sample('a', '3'), revision + 1)
  const outcomes = Promise.allSettled([lost, built, store.settled()])
  log.fail()
  expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(store.get(at('n/a'))?.value.data).toEqual({ k: '1' })
  expect(announced).toEqual([1])
  const next = store.put(at('n/a'), sample('a', '4'), revision)
  await log.begun()
  log.succeed()
  expect((await next).revision).toBe(4)
})

test('closes only once everything is durable', async () => {
  const log = new ManualLog()
  const store = openStore(log)
  const writes = [store.put(at('n/a'), sample('a', '1'), 0)]
  await log.begun()
  writes.push(store.put(at('n/b'), sample('b', '1'), 0))
  const closed = store.close()
  log.succeed()
  await log.begun()
  log.succeed()
  await Promise.all([...writes, closed])
  expect(log.batches.map(keysOf)).toEqual([['n/a'], ['n/b']])
})

test('an entry that is still held reads the same in the window and after it', async () => {
  const rng = seededRng(83)
  const store = createMemoryStore({ historyEvents: 40 })
  const seen: { entry: Entry; json: string }[] = []
  store.subscribe((events) => {
    for (const { entry, previous } of events)
      for (const held of previous ? [entry, previous] : [entry]) {
        seen.push({ entry: held, json: held.json })
        if (rng.below(3) === 0) held.release()
      }
  })
  // Hundreds of pages of texts, of which the window holds a few.
  for (let round = 0; round < 400; round++) {
    const writes = Array.from({ length: 1 + rng.below(5) }, (_, index) => {
      const location = at(`n/${index}-${rng.below(12)}`)
      const current = store.get(location)
      const object = sample('a', String(rng.below(1000)).repeat(1 + rng.below(9_000)))
      const isDeleted = current && rng.below(4) === 0
      return isDeleted
        ? store.delete(location, object, current.revision)
        : store.put(location, object, current?.revision ?? 0)
    })
    await Promise.all(writes)
    const { entry, json } = seen[rng.below(seen.length)]!
    expect(entry.json).toBe(json)
  }
  for (const { entry, json } of seen) {
    expect(entry.json).toBe(json)
    expect(JSON.stringify(entry.value)).toBe(json)
  }
})
