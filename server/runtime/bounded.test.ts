import { expect, test } from 'vitest'
import { mapBounded } from './bounded'

test('results come in the order of the items, and never more calls than allowed are under way', async () => {
  let active = 0
  let most = 0
  const results = await mapBounded([5, 3, 1, 4, 2], 2, async (item) => {
    active += 1
    most = Math.max(most, active)
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve()
    active -= 1
    return item * 10
  })
  expect(results).toEqual([50, 30, 10, 40, 20])
  expect(most).toBe(2)
})

test('a rejection is passed on', async () => {
  await expect(mapBounded([1, 2], 1, (item) => Promise.reject(new Error(`no ${item}`)))).rejects.toThrow('no 1')
})
