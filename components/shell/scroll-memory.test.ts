import { describe, expect, test } from 'vitest'
import { ScrollMemory } from './scroll-memory'

describe('where pages stood', () => {
  test('is known by entry of the history, the latest note', () => {
    const memory = new ScrollMemory(null)
    memory.note('a', { top: 100, left: 0 })
    memory.note('b', { top: 7, left: 3 })
    memory.note('a', { top: 250, left: 10 })
    expect([memory.recall('a'), memory.recall('b'), memory.recall('c')]).toEqual([
      { top: 250, left: 10 },
      { top: 7, left: 3 },
      undefined,
    ])
  })

  test('survives a reload', () => {
    const before = new ScrollMemory(null)
    before.note('a', { top: 100, left: 2 })
    expect(new ScrollMemory(before.write()).recall('a')).toEqual({ top: 100, left: 2 })
  })

  test.each([
    '',
    'x',
    'null',
    '{}',
    '[1]',
    '[["a"]]',
    '[["a",null]]',
    '[["a",{"top":"1","left":0}]]',
    '[[1,{"top":1,"left":0}]]',
  ])('is empty if the stored value is %j', (kept) => {
    const memory = new ScrollMemory(kept)
    expect(memory.write()).toBe('[]')
  })

  test('of the oldest is forgotten', () => {
    const memory = new ScrollMemory(null)
    for (let at = 0; at <= 100; at += 1) memory.note(`entry ${at}`, { top: at, left: 0 })
    expect([memory.recall('entry 0'), memory.recall('entry 1')]).toEqual([undefined, { top: 1, left: 0 }])
  })
})
