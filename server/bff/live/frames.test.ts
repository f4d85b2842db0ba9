import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readFrame } from '../testing/live-client'
import { frameOf, snapshotFrame } from './frames'

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `row-${index}`, text: `é ${index}` }))
const delta = (changed: unknown[]) => ({
  type: 'delta' as const,
  topic: 't',
  epoch: 'e',
  revision: 2,
  from: 1,
  changed,
  removed: [],
})
const noise = (bytes: number) => ({ id: 'x', text: randomBytes(bytes).toString('base64') })

describe('a frame', () => {
  test.each([
    ['small', delta(rows(1)), '{', false],
    ['larger', delta(rows(100)), 1, false],
    ['huge', delta([noise(600_000)]), 1, true],
  ] as const)('that is %s holds its message, compressed where that is worth it', async (_, message, flag, isLater) => {
    const made = frameOf(message)
    expect(made instanceof Promise).toBe(isLater)
    const { data, textBytes, type } = await made
    const text = JSON.stringify(message)
    expect([data[0], type, textBytes]).toEqual([flag, 'delta', flag === 1 ? Buffer.byteLength(text) : text.length])
    expect(JSON.parse(readFrame(data))).toEqual(message)
  })

  test.each([0, 1, 199, 200, 201, 400, 1001])(
    'of a snapshot of %i rows is the same as one made in one go',
    async (count) => {
      const message = { topic: 't', epoch: 'e', revision: 7, entities: rows(count) }
      const { data } = await snapshotFrame(message)
      expect(JSON.parse(readFrame(data))).toEqual({ type: 'snapshot', ...message })
    },
  )

  test('of a large snapshot lets others have their turn while it is made', async () => {
    let [turns, isOver] = [0, false]
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await snapshotFrame({ topic: 't', epoch: 'e', revision: 7, entities: rows(5_000) })
    expect(turns).toBeGreaterThanOrEqual(20)
    isOver = true
  })
})
