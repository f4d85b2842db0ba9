import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { createMemoryStore } from './memory-store'
import { StoreUnavailable } from './store'
import { storeSuite } from './store-suite'

storeSuite('in memory', async () => {
  const clock = createFakeClock()
  const errors: unknown[] = []
  const store = createMemoryStore({ clock, onError: (error) => errors.push(error) })
  return { store, other: store, errors, elapse: async (ms) => clock.advance(ms) }
})

describe('the bound of the store in memory', () => {
  const start = (mostCharacters: number) => {
    const clock = createFakeClock()
    return {
      clock,
      store: createMemoryStore({
        clock,
        onError: (error) => {
          throw error
        },
        mostCharacters,
      }),
    }
  }

  test('refuses an excess instead of dropping stored values', async () => {
    const { store } = start(10)
    await store.set('a', 'x'.repeat(4), 1000)
    await store.set('b', 'x'.repeat(4), 1000)
    await expect(store.set('c', 'x', 1000)).rejects.toThrow(StoreUnavailable)
    await expect(store.add('c', 'x', 1000)).rejects.toThrow(/full.*Try again/)
    expect(await store.get('a')).toBe('xxxx')
  })

  test('has room again when something was deleted, replaced or has expired', async () => {
    const { store, clock } = start(10)
    await store.set('a', 'x'.repeat(9), 1000)
    await store.set('a', 'x', 1000)
    await store.set('b', 'x'.repeat(7), 500)
    await store.delete('a')
    await store.set('c', 'x', 1000)
    clock.advance(500)
    await store.set('d', 'x'.repeat(7), 1000)
    expect(await store.get('c')).toBe('x')
  })

  test('holds no timer, and thousands that expired do not add up', async () => {
    const { store, clock } = start(100_000)
    for (let round = 0; round < 50; round += 1) {
      for (let index = 0; index < 1000; index += 1) await store.set(`${round}/${index}`, 'x'.repeat(80), 10)
      clock.advance(10)
    }
    expect(clock.timers).toBe(0)
  })
})
