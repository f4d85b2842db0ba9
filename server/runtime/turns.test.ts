import { expect, test } from 'vitest'
import { EventLoopTurns } from './turns'

/** An event loop whose time passes only by work, and whose turns end when the test says so. */
function eventLoop() {
  let [now, callbacks]: [number, (() => void)[]] = [0, []]
  const turns = new EventLoopTurns({ now: () => now, afterOthers: (callback) => callbacks.push(callback) })
  const done: string[] = []
  return {
    done,
    work: async (
      name: string,
      ms: number,
      { before, behind }: { before?: () => Promise<void>; behind?: boolean } = {},
    ) => {
      const turn = (behind ? turns.behind : turns).next()
      if (turn) await turn
      if (before) await before()
      now += ms
      done.push(name)
    },
    /** Others have their turn. */
    nextTurn: async () => {
      const due = callbacks
      callbacks = []
      for (const callback of due) callback()
      await new Promise(setImmediate)
    },
    turnsAsked: () => callbacks.length,
  }
}

test('short work goes on at once', async () => {
  const { done, work, turnsAsked } = eventLoop()
  for (const name of ['a', 'b', 'c']) void work(name, 1)
  expect(done).toEqual(['a', 'b', 'c'])
  expect(turnsAsked(), 'one look at the end of the turn is enough').toBe(1)
})

test('what follows long work waits for the next turn, in order, and none longer than its turn', async () => {
  const { done, work, nextTurn } = eventLoop()
  void work('long', 15)
  for (const name of ['a', 'b', 'c', 'd', 'e']) void work(name, 2)
  expect(done).toEqual(['long'])
  await nextTurn()
  expect(done).toEqual(['long', 'a', 'b', 'c'])
  void work('late', 1)
  await nextTurn()
  expect(done).toEqual(['long', 'a', 'b', 'c', 'd', 'e', 'late'])
})

test('the next one waits also for work that begins some promises later', async () => {
  const { done, work, nextTurn } = eventLoop()
  const later = async (): Promise<void> => {
    for (let hop = 0; hop < 20; hop++) await Promise.resolve()
  }
  void work('long', 15)
  for (const name of ['a', 'b', 'c', 'd']) void work(name, 4, { before: later })
  await nextTurn()
  expect(done).toEqual(['long', 'a', 'b'])
  await nextTurn()
  expect(done).toEqual(['long', 'a', 'b', 'c', 'd'])
})

test('a caller behind continues at once while no other caller waits', async () => {
  const { done, work, nextTurn } = eventLoop()
  void work('member', 1, { behind: true })
  expect(done).toEqual(['member'])
  void work('long', 15)
  for (const name of ['a', 'b', 'c']) void work(name, 1, { behind: true })
  await nextTurn()
  expect(done).toEqual(['member', 'long', 'a', 'b', 'c'])
})

test('callers behind get every tenth place while others wait', async () => {
  const { done, work, nextTurn } = eventLoop()
  void work('long', 15)
  for (let n = 1; n <= 3; n++) void work(`member ${n}`, 0.1, { behind: true })
  for (let n = 1; n <= 20; n++) void work(`${n}`, 0.1)
  await nextTurn()
  const first = Array.from({ length: 9 }, (_, index) => `${index + 1}`)
  const second = Array.from({ length: 9 }, (_, index) => `${index + 10}`)
  expect(done).toEqual(['long', ...first, 'member 1', ...second, 'member 2', '19', '20', 'member 3'])
})

test('a caller behind waits for all others over several turns', async () => {
  const { done, work, nextTurn } = eventLoop()
  void work('long', 15)
  for (const name of ['a', 'b']) void work(name, 4)
  void work('member', 1, { behind: true })
  await nextTurn()
  void work('late', 4)
  await nextTurn()
  expect(done).toEqual(['long', 'a', 'b', 'late', 'member'])
})

test('a turn is counted from its own beginning', async () => {
  const { done, work, nextTurn } = eventLoop()
  void work('a', 4)
  await nextTurn()
  void work('b', 4)
  void work('c', 1)
  expect(done).toEqual(['a', 'b', 'c'])
})

test('many that ask again and again leave the event loop to others', async () => {
  const turns = new EventLoopTurns()
  let steps = 0
  const over = new AbortController()
  const busy = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const turn = turns.next()
      if (turn) await turn
      else await Promise.resolve()
      steps += 1
      const until = performance.now() + 0.2
      while (performance.now() < until);
    }
  }
  const workers = Array.from({ length: 50 }, busy)
  for (let round = 0; round < 10; round++) await new Promise((resolve) => setTimeout(resolve, 0))
  over.abort()
  await Promise.all(workers)
  expect(steps).toBeGreaterThan(50)
})
