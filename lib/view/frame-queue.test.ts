import { describe, expect, test } from 'vitest'
import { FrameQueue } from './frame-queue'

/** Frames whose first byte says whether they take a moment, and whose second names them. */
function start() {
  const delivered: unknown[] = []
  const damage: unknown[] = []
  const pending: (() => void)[] = []
  const queue = new FrameQueue({
    read: (frame) => {
      const text = frame[1] === 0 ? '{' : JSON.stringify(frame[1])
      return frame[0] === 0
        ? text
        : new Promise((resolve) => {
            pending.push(() => resolve(text))
          })
    },
    onMessage: (message) => delivered.push(message),
    onDamage: (error) => damage.push(error),
  })
  const unpack = async () => {
    pending.shift()?.()
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return { queue, delivered, damage, unpack }
}
const quick = (name: number) => Uint8Array.of(0, name)
const slow = (name: number) => Uint8Array.of(1, name)

describe('frames', () => {
  test('that need no unpacking are delivered at once', () => {
    const { queue, delivered } = start()
    queue.push([quick(1), quick(2)])
    expect(delivered).toEqual([1, 2])
  })

  test('that are texts need no unpacking', () => {
    const { queue, delivered } = start()
    queue.push(['1', quick(2), '3'])
    expect(delivered).toEqual([1, 2, 3])
  })

  test('keep their order, whatever takes a moment', async () => {
    const { queue, delivered, unpack } = start()
    queue.push([slow(1), quick(2)])
    queue.pushAct(() => delivered.push('after 2'))
    queue.push([slow(3)])
    expect(delivered).toEqual([])
    await unpack()
    expect(delivered).toEqual([1, 2, 'after 2'])
    await unpack()
    expect(delivered).toEqual([1, 2, 'after 2', 3])
  })

  test('of a lost connection are not delivered', async () => {
    const { queue, delivered, unpack } = start()
    queue.push([slow(1), quick(2)])
    queue.clear()
    queue.push([quick(3)])
    await unpack()
    expect(delivered).toEqual([3])
  })

  test.each([
    ['at once', quick(0)],
    ['after a moment', slow(0)],
  ])('that are damaged stop the stream and are told, found %s', async (_, frame) => {
    const { queue, delivered, damage, unpack } = start()
    queue.push([frame, quick(2)])
    await unpack()
    expect([delivered, damage.length]).toEqual([[], 1])
    queue.clear()
    queue.push([quick(3)])
    expect(delivered).toEqual([3])
  })
})
