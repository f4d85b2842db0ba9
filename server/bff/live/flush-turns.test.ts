/** In which turns of the event loop sockets are written to. */
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { FlushTurns } from './flush-turns'

/** A clock on which work takes time, and the turns on it. */
function start(onTurn: (lateMs: number) => void = () => undefined) {
  const clock = createFakeClock()
  let workedMs = 0
  const elapsed = (): number => clock.elapsed() + workedMs
  const turns = new FlushTurns({ ...clock, elapsed }, onTurn)
  const work = (ms: number): void => {
    workedMs += ms
  }
  return { clock, turns, work }
}

describe('tasks', () => {
  test('run once, at their time and not before, in the order of their times', () => {
    const { clock, turns } = start()
    const ran: string[] = []
    turns.at(20, () => ran.push('b'))
    turns.at(10, () => ran.push('a'))
    turns.at(20, () => ran.push('c'))
    clock.advance(9)
    expect(ran).toEqual([])
    clock.advance(1)
    expect(ran).toEqual(['a'])
    clock.advance(1_000)
    expect(ran).toEqual(['a', 'b', 'c'])
  })

  test('run as soon as possible when their time is past', () => {
    const { clock, turns } = start()
    clock.advance(100)
    let ran = 0
    turns.at(50, () => (ran += 1))
    clock.advance(1)
    expect(ran).toBe(1)
  })

  test('do not run once they are stopped, before their time or while they wait for their turn', () => {
    const { clock, turns, work } = start()
    const ran: string[] = []
    const stopped = turns.at(10, () => ran.push('stopped'))
    turns.at(10, () => {
      ran.push('long')
      work(10)
      stopLater()
    })
    const stopLater = turns.at(10, () => ran.push('stopped later'))
    turns.at(10, () => ran.push('kept'))
    stopped()
    clock.advance(100)
    expect(ran).toEqual(['long', 'kept'])
  })

  test('of a time at which nothing is left need no timer', () => {
    const { clock, turns } = start()
    const stops = [turns.at(10, () => undefined), turns.at(10, () => undefined)]
    for (const stop of stops) stop()
    expect(clock.timers).toBe(0)
  })

  test('run although one before them failed', () => {
    const { clock, turns } = start()
    let ran = 0
    turns.at(10, () => {
      throw new Error('broken')
    })
    turns.at(10, () => (ran += 1))
    expect(() => clock.advance(10)).toThrow('broken')
    clock.advance(10)
    turns.at(50, () => (ran += 1))
    clock.advance(50)
    expect(ran).toBe(2)
  })
})

test('a turn ends after a while, and the next one continues', () => {
  const seen: number[] = []
  const late: number[] = []
  let ran = 0
  const { clock, turns, work } = start((lateMs) => {
    late.push(lateMs)
    seen.push(ran)
  })
  for (let task = 0; task < 250; task++)
    turns.at(10, () => {
      ran += 1
      work(1)
    })
  clock.advance(20)
  expect(seen).toEqual([100, 200, 250])
  expect(late).toEqual([100, 200, 250])
})
