import { describe, expect, it } from 'vitest'
import { kubeError } from '@/lib/kube/errors'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { Log } from '../api'
import { RevisionMismatch } from '../store/errors'
import { createKeyController } from './key-controller'

/** A loop whose work fails as often as told with the given error. */
function failing(error: unknown, times: number) {
  const clock = createFakeClock()
  const logged: string[] = []
  const done: string[] = []
  const log: Log = (_level, _fields, message) => void logged.push(message)
  const loop = createKeyController('test', { clock, log }, async (key) => {
    done.push(key)
    if (done.length <= times) throw error
  })
  return { clock, logged, done, loop }
}

const rest = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

describe('a key whose work fails', () => {
  it('waits one second, then two, then four', async () => {
    const { clock, done, loop, logged } = failing(new Error('down'), 3)
    loop.add('a')
    const seen: number[] = []
    for (const ms of [999, 1, 1999, 1, 3999, 1, 100_000]) {
      await rest()
      clock.advance(ms)
      await rest()
      seen.push(done.length)
    }
    expect(seen).toEqual([1, 2, 2, 3, 3, 4, 4])
    expect(logged).toHaveLength(3)
    await loop.close()
  })

  it.each([
    ['met a conflict', kubeError(409, 'Conflict', 'x')],
    ['was overtaken', new RevisionMismatch(1, 2)],
  ])('because it %s is worked off again at once, in silence', async (_why, error) => {
    const { done, loop, logged } = failing(error, 2)
    loop.add('a')
    await rest()
    expect(done).toEqual(['a', 'a', 'a'])
    expect(logged).toEqual([])
    await loop.close()
  })

  it('because the object is gone is done', async () => {
    const { clock, done, loop } = failing(kubeError(404, 'NotFound', 'x'), 1)
    loop.add('a')
    await rest()
    expect([done.length, clock.timers]).toEqual([1, 0])
    await loop.close()
  })

  it('is not tried again by a loop that is closed', async () => {
    const { clock, loop } = failing(new Error('down'), 9)
    loop.add('a')
    await rest()
    await loop.close()
    expect(clock.timers).toBe(0)
  })
})
