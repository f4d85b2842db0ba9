import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { createWorkQueue } from './work-queue'

const queue = () => createWorkQueue<string>(createFakeClock())

describe('the work queue', () => {
  test('hands keys out in the order in which they were added', async () => {
    const q = queue()
    for (const key of ['c', 'a', 'b']) q.add(key)
    expect([await q.next(), await q.next(), await q.next()]).toEqual(['c', 'a', 'b'])
  })

  test('hands a key out once, however often it was added before', async () => {
    const q = queue()
    for (const key of ['a', 'a', 'b', 'a']) q.add(key)
    expect(q.depth).toBe(2)
    expect([await q.next(), await q.next()]).toEqual(['a', 'b'])
    expect(q.depth).toBe(0)
  })

  test('hands a key out once more when it was added while being handled, and only after it is done', async () => {
    const q = queue()
    q.add('a')
    const first = await q.next()
    q.add('a')
    q.add('a')
    expect(q.depth).toBe(0)
    q.done(first as string)
    expect(q.depth).toBe(1)
    expect(await q.next()).toBe('a')
    q.done('a')
    expect(q.depth).toBe(0)
  })

  test('wakes waiting consumers one key each', async () => {
    const q = queue()
    const consumers = [q.next(), q.next()]
    q.add('a')
    q.add('b')
    expect(await Promise.all(consumers)).toEqual(['a', 'b'])
  })

  test('prefers a higher priority, also when it is raised while the key waits', async () => {
    const q = queue()
    q.add('low')
    q.add('raised')
    q.add('high', 5)
    q.add('raised', 9)
    q.add('raised', 1)
    expect([await q.next(), await q.next(), await q.next()]).toEqual(['raised', 'high', 'low'])
    expect(q.depth).toBe(0)
  })

  test('adds after a delay, and the shortest of several delays of one key counts', async () => {
    const clock = createFakeClock()
    const q = createWorkQueue<string>(clock)
    q.addAfter('a', 100)
    q.addAfter('a', 50)
    q.addAfter('a', 200)
    clock.advance(49)
    expect(q.depth).toBe(0)
    clock.advance(1)
    expect(q.depth).toBe(1)
    expect(await q.next()).toBe('a')
    q.done('a')
    clock.advance(1000)
    expect(q.depth).toBe(0)
  })

  test('notifies consumers of a shutdown, drops pending keys, and lets running ones finish', async () => {
    const clock = createFakeClock()
    const q = createWorkQueue<string>(clock)
    q.add('handled')
    expect(await q.next()).toBe('handled')
    q.addAfter('later', 10)
    const waiting = q.next()
    q.shutDown()
    q.add('late')
    expect(await waiting).toBeUndefined()
    expect(await q.next()).toBeUndefined()
    q.done('handled')
    expect([q.depth, q.active, clock.timers]).toEqual([0, 0, 0])
  })

  test('never handles a key twice at once and handles every key after its last addition', async () => {
    const steps = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b', 'c'), priority: fc.integer({ min: 0, max: 2 }), take: fc.boolean() }),
      { maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const q = queue()
        const active = new Set<string>()
        const owed = new Set<string>()
        const take = async (): Promise<void> => {
          const key = (await q.next()) as string
          expect(active.has(key)).toBe(false)
          expect(owed.has(key)).toBe(true)
          active.add(key)
          owed.delete(key)
        }
        const finish = (key: string): void => {
          active.delete(key)
          q.done(key)
        }
        for (const { key, priority, take: takes } of plan) {
          q.add(key, priority)
          owed.add(key)
          if (takes && q.depth > 0) await take()
          else if (active.has(key)) finish(key)
        }
        for (const key of active) finish(key)
        while (q.depth > 0) {
          await take()
          for (const key of active) finish(key)
        }
        expect([...owed]).toEqual([])
      }),
      { seed: 20260101, numRuns: 300 },
    )
  })
})
