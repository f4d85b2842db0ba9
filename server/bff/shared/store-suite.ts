/** The conformance suite of every driver of the shared store. */
import { describe, expect, test, vi } from 'vitest'
import { type SharedStore, StoreUnavailable } from './store'

/** One store under test, new and empty. */
export interface StoreUnderTest {
  store: SharedStore
  /** The store as another instance sees it; the same object where there is only one instance. */
  other: SharedStore
  /** Errors of handlers, as the driver reported them. */
  errors: unknown[]
  /** Lets at least this much time pass for expiry. */
  elapse(ms: number): Promise<void>
}

const eventually = (look: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(look, { timeout: 15_000, interval: 10 })

const LONG_MS = 600_000
const SHORT_MS = 200

/** Runs the suite. `start` is called once for each test and stops what it starts with `onTestFinished`. */
export function storeSuite(driver: string, start: () => Promise<StoreUnderTest>): void {
  describe(`${driver}: what is kept`, () => {
    keptValues(start)
    expiry(start)
    taking(start)
  })
  describe(`${driver}: messages to all`, () => messages(start))
  describe(`${driver}: its state`, () => states(start))
}

function keptValues(start: () => Promise<StoreUnderTest>): void {
  test('a key that was never set is undefined', async () => {
    const { store } = await start()
    expect(await store.get('nothing')).toBeUndefined()
  })

  const texts: [name: string, text: string][] = [
    ['an empty one', ''],
    ['one with other scripts and signs', 'größe ✓ 𝕏 日本'],
    ['one with lines and NUL', 'a\r\nb\0c'],
    ['a long one', 'x'.repeat(300_000)],
  ]
  test.each(texts)('a text comes back as it was, on every instance: %s', async (_name, text) => {
    const { store, other } = await start()
    await store.set('key', text, LONG_MS)
    expect(await other.get('key')).toBe(text)
  })

  test('the last value of a key counts', async () => {
    const { store, other } = await start()
    await store.set('key', 'one', LONG_MS)
    await other.set('key', 'two', LONG_MS)
    expect(await store.get('key')).toBe('two')
  })

  test.each(['a b', 'a:b', 'ключ', '*', '{tag}x', '__proto__', ''])('a key may be any text: "%s"', async (key) => {
    const { store, other } = await start()
    await store.set(key, 'value', LONG_MS)
    expect(await other.get(key)).toBe('value')
    expect(await other.get(`${key}.`)).toBeUndefined()
  })

  test('what was deleted is gone everywhere, and deleting nothing is no error', async () => {
    const { store, other } = await start()
    await store.set('key', 'value', LONG_MS)
    await other.delete('key')
    await other.delete('key')
    expect(await store.get('key')).toBeUndefined()
  })
}

function expiry(start: () => Promise<StoreUnderTest>): void {
  test('a value ends with its time, not before', async () => {
    const { store, elapse } = await start()
    await store.set('long', 'value', LONG_MS)
    await store.set('short', 'value', SHORT_MS)
    await elapse(SHORT_MS)
    expect(await store.get('short')).toBeUndefined()
    expect(await store.get('long')).toBe('value')
  })

  test('setting it again gives it a new time', async () => {
    const { store, elapse } = await start()
    await store.set('key', 'one', SHORT_MS)
    await store.set('key', 'two', LONG_MS)
    await elapse(SHORT_MS)
    expect(await store.get('key')).toBe('two')
  })

  test.each([0, -5, 0.2])('a time of %d ms is over at once', async (ttlMs) => {
    const { store, elapse } = await start()
    await store.set('key', 'old', LONG_MS)
    await store.set('key', 'value', ttlMs)
    await elapse(1)
    expect(await store.get('key')).toBeUndefined()
  })

  test.each([Number.NaN, Infinity])('a time of %d ms is a mistake of the caller', async (ttlMs) => {
    const { store } = await start()
    await expect(store.set('key', 'value', ttlMs)).rejects.toThrow(RangeError)
    await expect(store.add('key', 'value', ttlMs)).rejects.toThrow(RangeError)
  })
}

function taking(start: () => Promise<StoreUnderTest>): void {
  test('of all who take a key at the same time one gets it', async () => {
    const { store, other } = await start()
    const tries = Array.from({ length: 20 }, (_, index) => (index % 2 ? store : other).add('key', `${index}`, LONG_MS))
    const taken = (await Promise.all(tries)).flatMap((won, index) => (won ? [`${index}`] : []))
    expect(taken).toHaveLength(1)
    expect(await other.get('key')).toBe(taken[0])
  })

  test('a key is free again when it was deleted, and when its time is over', async () => {
    const { store, other, elapse } = await start()
    await store.add('deleted', 'one', LONG_MS)
    await store.delete('deleted')
    expect(await other.add('deleted', 'two', LONG_MS)).toBe(true)
    await store.add('expired', 'one', SHORT_MS)
    await elapse(SHORT_MS)
    expect(await other.add('expired', 'two', LONG_MS)).toBe(true)
  })

  test('a failed try does not lengthen the time of the one who has it', async () => {
    const { store, other, elapse } = await start()
    await store.add('key', 'one', SHORT_MS)
    await other.add('key', 'two', LONG_MS)
    await elapse(SHORT_MS)
    expect(await store.get('key')).toBeUndefined()
  })
}

function messages(start: () => Promise<StoreUnderTest>): void {
  test('reach every instance, the sender too, in the order of one sender', async () => {
    const { store, other } = await start()
    const here = listen(store, 'audit')
    const there = listen(other, 'audit')
    await heardBoth(store, [here, there])
    const expected = Array.from({ length: 50 }, (_, index) => `message ${index} ✓`)
    for (const message of expected) await store.publish('audit', message)
    await eventually(() => {
      expect(here.heard()).toEqual(expected)
      expect(there.heard()).toEqual(expected)
    })
  })

  test('stay in their channel', async () => {
    const { store, other } = await start()
    const one = listen(other, 'one')
    const two = listen(other, 'two')
    await heardBoth(store, [one, two])
    await store.publish('one', 'for one')
    await eventually(() => expect(one.heard()).toEqual(['for one']))
    expect(two.heard()).toEqual([])
  })

  test('a listener hears nothing after it stopped, and the others still do', async () => {
    const { store, other } = await start()
    const leaving = listen(other, 'audit')
    const staying = listen(other, 'audit')
    await heardBoth(store, [leaving, staying])
    leaving.stop()
    leaving.stop()
    await store.publish('audit', 'later')
    await eventually(() => expect(staying.heard()).toEqual(['later']))
    expect(leaving.heard()).toEqual([])
  })

  test('one who comes back after the last one left hears again', async () => {
    const { store, other } = await start()
    const first = listen(other, 'audit')
    await heardBoth(store, [first])
    first.stop()
    const second = listen(other, 'audit')
    await heardBoth(store, [second])
    await store.publish('audit', 'again')
    await eventually(() => expect(second.heard()).toEqual(['again']))
  })

  test('a handler that fails is reported and keeps nothing from the others', async () => {
    const { store, other, errors } = await start()
    const failure = new Error('handler failed')
    other.subscribe('audit', (message) => {
      if (message === 'bad') throw failure
    })
    const there = listen(other, 'audit')
    await heardBoth(store, [there])
    await store.publish('audit', 'bad')
    await eventually(() => expect(there.heard()).toEqual(['bad']))
    expect(errors).toEqual([failure])
  })
}

function states(start: () => Promise<StoreUnderTest>): void {
  test('is well while it works', async () => {
    const { store } = await start()
    await store.get('key')
    expect(store.state()).toEqual({ ok: true })
  })

  test('closed it rejects everything, and closing twice is no error', async () => {
    const { store, other } = await start()
    await store.set('key', 'value', LONG_MS)
    if (other !== store) await other.close()
    await store.close()
    await store.close()
    const calls = [
      () => store.get('key'),
      () => store.set('key', 'x', LONG_MS),
      () => store.add('key', 'x', LONG_MS),
      () => store.delete('key'),
      () => store.publish('audit', 'x'),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailable)
    store.subscribe('audit', () => undefined)()
  })
}

const PROBE = 'is anybody there?'

interface Listener {
  channel: string
  /** Received messages without probes. */
  heard(): string[]
  probed(): boolean
  stop(): void
}

function listen(store: SharedStore, channel: string): Listener {
  const all: string[] = []
  const stop = store.subscribe(channel, (message) => all.push(message))
  return { channel, stop, heard: () => all.filter((message) => message !== PROBE), probed: () => all.includes(PROBE) }
}

/** A subscription takes some time to reach the others. */
async function heardBoth(store: SharedStore, listeners: readonly Listener[]): Promise<void> {
  await eventually(async () => {
    for (const { channel, probed } of listeners) if (!probed()) await store.publish(channel, PROBE)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    expect(listeners.every(({ probed }) => probed())).toBe(true)
  })
}
