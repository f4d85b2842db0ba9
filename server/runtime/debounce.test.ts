import { expect, test } from 'vitest'
import type { ObjectKey } from '@/lib/kube/object'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { createDebounce, type DebounceOptions } from './debounce'
import { createWorkQueue } from './work-queue'

function paced(options: DebounceOptions) {
  const clock = createFakeClock(0)
  const queue = createWorkQueue<ObjectKey>(clock)
  const debounce = createDebounce(clock, options)
  const change = (...keys: string[]) => {
    for (const key of keys) debounce.changed(queue, key as ObjectKey)
  }
  return { clock, queue, debounce, change }
}

test('changes of one object are reported together after a while', () => {
  const { clock, queue, change } = paced({ settleMs: 50, intervalMs: 400 })
  change('a')
  clock.advance(49)
  change('a')
  expect(queue.depth).toBe(0)
  clock.advance(1)
  expect(queue.depth).toBe(1)
})

test('an object with a recent report waits for its interval', () => {
  const { clock, queue, debounce, change } = paced({ settleMs: 50, intervalMs: 400 })
  debounce.reported('a' as ObjectKey)
  change('a')
  clock.advance(399)
  expect(queue.depth).toBe(0)
  clock.advance(1)
  expect(queue.depth).toBe(1)
})

test('a report is on time although the clock was set back since the last one', () => {
  const { clock, queue, debounce, change } = paced({ settleMs: 50, intervalMs: 400 })
  debounce.reported('a' as ObjectKey)
  clock.set(-3_600_000)
  change('a')
  clock.advance(400)
  expect(queue.depth).toBe(1)
})

test('the more objects wait, the longer they settle, up to a limit', () => {
  const { clock, queue, change } = paced({ settleMs: 50, intervalMs: 0, perPendingMs: 10, longestSettleMs: 100 })
  const names = Array.from({ length: 20 }, (_, index) => `object-${index}`)
  change(...names)
  clock.advance(50)
  expect(queue.depth).toBe(1)
  clock.advance(40)
  expect(queue.depth).toBe(5)
  clock.advance(10)
  expect(queue.depth).toBe(20)
})

test('reconciled objects do not count any more', () => {
  const { clock, queue, debounce, change } = paced({
    settleMs: 50,
    intervalMs: 0,
    perPendingMs: 10,
    longestSettleMs: 1_000,
  })
  change('a', 'b')
  debounce.taken('a' as ObjectKey)
  debounce.forget('b' as ObjectKey)
  change('c')
  clock.advance(50)
  expect(queue.depth).toBe(2)
})

test('states on the way to another one settle longer in a crowd, and slow no other state', () => {
  const deferrable = { settleMs: 100, perPendingMs: 100, longestSettleMs: 1_000 }
  const { clock, queue, debounce } = paced({
    settleMs: 50,
    perPendingMs: 10,
    longestSettleMs: 500,
    intervalMs: 0,
    deferrable,
  })
  const waiting = Array.from({ length: 20 }, (_, index) => `object-${index}` as ObjectKey)
  for (const key of waiting) debounce.changed(queue, key, { deferrable: true })
  debounce.changed(queue, 'urgent' as ObjectKey)
  clock.advance(50)
  expect(queue.depth).toBe(1)
  clock.advance(900)
  expect(queue.depth).toBeLessThan(11)
  clock.advance(50)
  expect(queue.depth).toBe(21)
})

test('a state that comes while one on the way waits is reported in its place', () => {
  const deferrable = { settleMs: 1_000 }
  const { clock, queue, debounce } = paced({ settleMs: 50, intervalMs: 0, deferrable })
  debounce.changed(queue, 'a' as ObjectKey, { deferrable: true })
  clock.advance(200)
  debounce.changed(queue, 'a' as ObjectKey)
  clock.advance(50)
  expect(queue.depth).toBe(1)
  void queue.next()
  debounce.taken('a' as ObjectKey)
  clock.advance(2_000)
  expect(queue.depth).toBe(0)
})
