/** How often each browser is written to, and how long a change may wait. */
import { english } from '@/lib/messages/english'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { FrameData, FrameMessage } from '@/lib/view/live'
import type { Access } from '../access/access'
import { CLUSTERS } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import { noBffMetrics } from '../metrics-hooks'
import { readFrame } from '../testing/live-client'
import { Signal } from '../cache/signal'
import { Hub, type Source } from './hub'
import { nextFlush, nextOwnTime, FLUSH_INTERVAL_MS, FlushPhases, FlushSchedule, flushTime } from './flush-schedule'
import type { LiveSocket } from './frame-packet'
import { Session } from './session'

const DRIFT_MS = FLUSH_INTERVAL_MS / 50

/** A server with three topics, one of them quick, and browsers that note when they are sent what. */
function start(sockets = 1) {
  const clock = createFakeClock()
  const values = new Map<string, number>()
  const touched = { steady: new Signal(), other: new Signal(), quick: new Signal() }
  const source = (name: keyof typeof touched, flushIntervalMs?: number): Source => ({
    touched: touched[name],
    ids: () => [name],
    placeOf: () => CLUSTERS,
    resources: [CLUSTERS],
    project: (id) => ({ id, value: values.get(id) ?? 0 }) as { id: string },
    ...(flushIntervalMs !== undefined && { flushIntervalMs }),
  })
  let epochs = 0
  const schedule = new FlushSchedule(clock, () => sockets)
  const hub = new Hub({
    clock,
    newEpoch: () => `e${++epochs}`,
    onError: (error) => {
      throw error
    },
    pages: {},
    collections: { steady: source('steady'), other: source('other'), quick: source('quick', 50) },
    // With few sockets, the default of a topic.
    ...(sockets > 1 && { flushIntervalMs: (ownMs) => schedule.intervalMs(ownMs) }),
  })
  const open = (...topics: string[]) => browser({ hub, clock, schedule }, { topics, now: clock.elapsed })
  const write = (name: keyof typeof touched): void => {
    values.set(name, (values.get(name) ?? 0) + 1)
    touched[name].emit(name)
  }
  return { clock, open, write, values }
}

interface Message {
  at: number
  /** The value of each topic that it tells. */
  told: Record<string, number>
}

function browser(
  parts: Pick<ConstructorParameters<typeof Session>[0], 'hub' | 'clock' | 'schedule'>,
  { topics, now }: { topics: readonly string[]; now: () => number },
): Message[] {
  const messages: Message[] = []
  const handlers = new Map<string, (message: unknown) => void>()
  const socket = {
    conn: { on: () => undefined, writeBuffer: [], transport: { name: 'polling' } },
    on: (event: string, handler: (message: unknown) => void) => handlers.set(event, handler),
    emit: (event: string, frames: FrameData[]) => {
      if (event === 'frames')
        messages.push({ at: now(), told: Object.assign({}, ...frames.map(toldBy)) as Message['told'] })
    },
  }
  const access = { scope: EVERYTHING, onScope: () => () => undefined, close: () => undefined } as unknown as Access
  const quiet = {
    onClosed: () => undefined,
    onTopics: () => undefined,
    onError: (error: unknown) => {
      throw error
    },
  }
  const session = new Session({
    ...parts,
    ...quiet,
    text: english,
    socket: socket as unknown as LiveSocket,
    access,
    metrics: noBffMetrics,
    isReady: () => true,
  })
  for (const topic of topics) handlers.get('subscribe')?.({ topic })
  void session
  return messages
}

function toldBy(frame: FrameData): Record<string, number> {
  const message = JSON.parse(readFrame(frame)) as FrameMessage
  if (message.type === 'synced') return {}
  const entities = (message.type === 'snapshot' ? message.entities : message.changed) as { id: string; value: number }[]
  return Object.fromEntries(entities.map(({ id, value }) => [id, value]))
}

const timesOf = (messages: readonly Message[]): number[] => messages.map(({ at }) => at)

describe('one browser', () => {
  test('is told the first change at once, then four a second while changes keep coming', () => {
    const { clock, open, write } = start()
    const messages = open('steady')
    clock.advance(10_000)
    messages.length = 0
    const began = clock.elapsed()
    for (let at = 0; at < 10_000; at += 5) {
      write('steady')
      clock.advance(5)
    }
    expect(messages[0]?.at).toBe(began)
    expect(messages.length).toBeGreaterThanOrEqual(39)
    expect(messages.length).toBeLessThanOrEqual(41)
  })

  test('is told a second change as soon as the interval allows it', () => {
    const { clock, open, write } = start()
    const messages = open('steady')
    clock.advance(1_001)
    messages.length = 0
    const began = clock.elapsed()
    write('steady')
    clock.advance(3)
    write('steady')
    clock.advance(2_000)
    expect(messages[0]?.at).toBe(began)
    expect(messages[1]?.at).toBeGreaterThanOrEqual(began + FLUSH_INTERVAL_MS)
    expect(messages[1]?.at).toBeLessThanOrEqual(began + FLUSH_INTERVAL_MS + DRIFT_MS)
  })

  test('gets what changed together in one message, whenever that is', () => {
    for (let afterMs = 0; afterMs <= 2 * FLUSH_INTERVAL_MS; afterMs += 1) {
      const { clock, open, write } = start()
      const messages = open('steady', 'other')
      clock.advance(1_000)
      write('steady')
      clock.advance(1)
      write('steady')
      messages.length = 0
      clock.after(afterMs, () => {
        write('steady')
        write('other')
      })
      clock.advance(4 * FLUSH_INTERVAL_MS)
      expect(messages.filter(({ told }) => told['steady'] === 3 || told['other'] === 1)).toEqual([
        { at: expect.any(Number) as number, told: { steady: 3, other: 1 } },
      ])
    }
  })

  test('gets all of its topics in one message, and the quick one between', () => {
    const { clock, open, write } = start()
    const messages = open('steady', 'other', 'quick')
    clock.advance(5_000)
    messages.length = 0
    for (let at = 0; at < 5_000; at += 5) {
      for (const name of ['steady', 'other', 'quick'] as const) write(name)
      clock.advance(5)
    }
    const settled = messages.slice(20)
    const withSteady = settled.filter(({ told }) => 'steady' in told)
    expect(withSteady.filter(({ told }) => !('other' in told))).toEqual([])
    expect(settled.length / withSteady.length).toBeCloseTo(5, 0)
  })

  test.each([
    ['back', -3_600_000],
    ['forth', 3_600_000],
  ])('is told what changes though the clock of the server is set %s', (_, byMs) => {
    const { clock, open, write } = start()
    const messages = open('steady')
    clock.advance(1_000)
    write('steady')
    clock.advance(10)
    messages.length = 0
    clock.set(byMs)
    write('steady')
    clock.advance(FLUSH_INTERVAL_MS + DRIFT_MS)
    write('steady')
    clock.advance(FLUSH_INTERVAL_MS + DRIFT_MS)
    expect(messages.map(({ told }) => told)).toEqual([{ steady: 2 }, { steady: 3 }])
  })
})

describe('whenever things change', () => {
  const step = fc.record({ waitMs: fc.nat(120), what: fc.constantFrom('steady' as const, 'other' as const) })

  test('no browser gets more than four messages within a second, and each has every change soon', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const { clock, open, write, values } = start()
        const browsers = Array.from({ length: 60 }, () => open('steady', 'other'))
        const wrote: { at: number; what: string; value: number }[] = []
        for (const { waitMs, what } of steps) {
          clock.advance(waitMs)
          write(what)
          wrote.push({ at: clock.elapsed(), what, value: values.get(what) ?? 0 })
        }
        clock.advance(1_000)
        for (const messages of browsers) {
          const times = timesOf(messages)
          for (let at = 4; at < times.length; at++) expect(times[at]! - times[at - 4]!).toBeGreaterThanOrEqual(1_000)
          for (const { at, what, value } of wrote) {
            const told = messages.find((message) => message.at >= at && (message.told[what] ?? -1) >= value)
            expect(told && told.at - at).toBeLessThanOrEqual(FLUSH_INTERVAL_MS + DRIFT_MS + 10)
          }
        }
      }),
      { seed: 1121, numRuns: 40 },
    )
  })

  test('many browsers are not all written to in the same moment, and those together get the same', () => {
    const { clock, open, write } = start()
    const browsers = Array.from({ length: 125 }, () => open('steady'))
    for (let at = 0; at < 15_000; at += 5) {
      write('steady')
      clock.advance(5)
    }
    const last = browsers.map((messages) => messages.at(-1)?.at)
    const byTime = Map.groupBy(last, (at) => at)
    expect([...byTime.values()].map(({ length }) => length)).toEqual(Array.from({ length: 5 }, () => 25))
  })
})

describe('with thousands of sockets', () => {
  const MANY = 5_000
  const INTERVAL_MS = 300
  const step = fc.record({ waitMs: fc.nat(120), what: fc.constantFrom('steady' as const, 'quick' as const) })

  test('no browser gets two messages within an interval, and each has every change after an interval', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const { clock, open, write, values } = start(MANY)
        const browsers = Array.from({ length: 60 }, () => open('steady', 'quick'))
        const wrote: { at: number; what: string; value: number }[] = []
        for (const { waitMs, what } of steps) {
          clock.advance(waitMs)
          write(what)
          wrote.push({ at: clock.elapsed(), what, value: values.get(what) ?? 0 })
        }
        clock.advance(1_000)
        for (const messages of browsers) {
          const times = timesOf(messages)
          // A change just after its own time is told at once, so that the message before the next one may be closer.
          for (let at = 1; at < times.length; at++)
            expect(times[at]! - times[at - 1]!).toBeGreaterThanOrEqual(INTERVAL_MS - 20)
          for (const { at, what, value } of wrote) {
            const told = messages.find((message) => message.at >= at && (message.told[what] ?? -1) >= value)
            expect(told && told.at - at).toBeLessThanOrEqual(INTERVAL_MS + 20)
          }
        }
      }),
      { seed: 1121, numRuns: 40 },
    )
  })

  test('all that have the same time get the same revision, from the first message on', () => {
    const { clock, open, write } = start(MANY)
    const browsers = Array.from({ length: 125 }, () => open('steady'))
    for (let at = 0; at < 3_000; at += 7) {
      write('steady')
      clock.advance(7)
    }
    const seen = new Set(browsers.map((messages) => JSON.stringify(messages)))
    expect(seen.size).toBe(5)
  })
})

describe('the next own time', () => {
  const at = { now: 10_000, flushIntervalMs: 300, cycleMs: 300, phaseMs: 50 }
  test.each<[string, Parameters<typeof nextOwnTime>[0], number]>([
    ['is the first one for who never had a message', { ...at, last: -Infinity }, 10_260],
    ['is an interval after the last', { ...at, now: 10_261, last: 10_260 }, 10_560],
    ['is not missed for a last message that was late', { ...at, now: 10_400, last: 10_380 }, 10_560],
    ['still counts when it has just passed', { ...at, now: 10_275, last: 9_960 }, 10_260],
    ['is the next one when it has passed for longer', { ...at, now: 10_290, last: 9_960 }, 10_560],
    [
      'is one of its own for a long interval, too',
      { ...at, now: 10_261, last: 10_260, flushIntervalMs: 1_000 },
      11_160,
    ],
  ])('%s', (_, timing, expected) => {
    expect(nextOwnTime(timing)).toBe(expected)
  })
})

describe('the next flush', () => {
  const at = { now: 10_000, flushIntervalMs: FLUSH_INTERVAL_MS, phaseMs: 0 }
  test.each<[string, Parameters<typeof nextFlush>[0], number]>([
    ['is now for who never had one', { ...at, last: -Infinity }, 10_000],
    ['is now for who had none for a little longer', { ...at, phaseMs: 200, last: 9_745 }, 10_000],
    ['is still its own for who could have one now', { ...at, phaseMs: 4, last: 9_750 }, 10_004],
    ['is its own next one for who had the one before', { ...at, now: 10_001, last: 10_000 }, 10_250],
    ['is a little later for who is a little early', { ...at, last: 9_996 }, 10_250],
    ['is nearer to its own by a fiftieth of the interval', { ...at, last: 9_900 }, 10_155],
    ['keeps a short interval, too', { now: 10_001, last: 10_000, flushIntervalMs: 50, phaseMs: 227 }, 10_051],
    ['is in the cycle for a long interval', { now: 10_001, last: 10_000, flushIntervalMs: 2_000, phaseMs: 3 }, 12_003],
  ])('%s', (_, timing, expected) => {
    expect(nextFlush(timing)).toBe(expected)
  })

  test('is counted from when it was due, unless the timer was very late', () => {
    expect([flushTime(100, 100), flushTime(100, 112), flushTime(100, 150), flushTime(100, 40)]).toEqual([
      100, 100, 130, 40,
    ])
  })
})

test('readers of other rights begin at other times, and places are given again', () => {
  const phases = new FlushPhases()
  const places = Array.from({ length: 5 }, (_, at) => phases.join(`r${at}`))
  expect(new Set(places).size).toBe(5)
  // Within the interval of the failover monitor they are one.
  expect(new Set(places.map((place) => place % 50)).size).toBe(1)
  expect(phases.join('r0')).toBe(places[0])
  phases.leave('r0')
  phases.leave('r0')
  expect(phases.join('r0')).toBe(places[0])
})
