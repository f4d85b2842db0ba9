import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeltaMessage, DigestMessage, Position, SnapshotMessage, SubscribeMessage, SyncedMessage } from './live'
import { bucketOf, missingFrom } from './digest'
import {
  type CollectionEvent,
  type CollectionState,
  freshnessOf,
  initialCollection,
  isLoaded,
  unreportedBy,
  PHASES,
  type Phase,
  reduceCollection,
  TRANSITIONS,
  type Trigger,
} from './live-client'

interface Item {
  id: string
  value: number
}
type State = CollectionState<Item>

const at = (revision: number, epoch = 'e1'): Position => ({ epoch, revision })
const snapshot = (revision: number, entities: Item[], epoch = 'e1'): CollectionEvent => ({
  type: 'snapshot',
  message: { topic: 't', ...at(revision, epoch), entities },
})
const preloaded = (revision: number, entities: Item[], epoch = 'e1'): CollectionEvent => ({
  type: 'preloaded',
  message: { topic: 't', ...at(revision, epoch), entities },
})
const delta = (from: number, revision: number, changed: Item[], removed: string[] = []): CollectionEvent => ({
  type: 'delta',
  message: { topic: 't', ...at(revision), from, changed, removed },
})
const synced = (revision: number): CollectionEvent => ({ type: 'synced', message: { topic: 't', ...at(revision) } })
const crossing = (from: number, epoch: string, changed: Item[], removed: string[]): CollectionEvent => ({
  type: 'delta',
  message: { topic: 't', epoch, revision: 1, fromEpoch: 'e1', from, changed, removed },
})
const synced2: CollectionEvent = { type: 'synced', message: { topic: 't', epoch: 'e2', revision: 1 } }
const connected: CollectionEvent = { type: 'connected' }
const paid: CollectionEvent = { type: 'paid' }
const stale: CollectionEvent = {
  type: 'freshness',
  message: { state: 'stale', since: '2026-11-21T09:14:02Z', error: 'connection refused' },
}
const serverLive: CollectionEvent = { type: 'freshness', message: { state: 'live' } }
const refused: CollectionEvent = { type: 'refused', message: 'not yours' }
const denied: CollectionEvent = { type: 'denied', message: 'log in' }
const lost: CollectionEvent = { type: 'disconnected', at: 1_000, error: 'transport close' }

const a1 = { id: 'a', value: 1 }
const b1 = { id: 'b', value: 1 }
const run = (...events: CollectionEvent[]): State => events.reduce<State>(reduceCollection, initialCollection<Item>())
const held = (state: State): Record<string, number> =>
  Object.fromEntries([...state.entities.values()].map((item) => [item.id, item.value]))
const caughtUp = [connected, paid, snapshot(3, [a1, b1]), synced(3)]

describe('a collection', () => {
  test.each<[string, CollectionEvent[], State['phase'], Record<string, number>, number | undefined]>([
    ['starts without a connection and empty', [], 'connecting', {}, undefined],
    ['asks for the topic once connected', [connected], 'catching-up', {}, undefined],
    ['waits for the answer', [connected, paid], 'catching-up', {}, undefined],
    ['shows what was read beforehand', [preloaded(3, [a1])], 'connecting', { a: 1 }, 3],
    ['takes nothing read beforehand for newer', [...caughtUp, preloaded(9, [])], 'live', { a: 1, b: 1 }, 3],
    ['stays refused', [connected, refused, preloaded(3, [a1])], 'refused', {}, undefined],
    ['shows a snapshot before it is caught up', [connected, paid, snapshot(3, [a1])], 'catching-up', { a: 1 }, 3],
    ['is live after synced', caughtUp, 'live', { a: 1, b: 1 }, 3],
    ['applies a delta', [...caughtUp, delta(3, 4, [{ id: 'a', value: 2 }], ['b'])], 'live', { a: 2 }, 4],
    ['ignores a delta that it has', [...caughtUp, delta(2, 3, [{ id: 'a', value: 9 }])], 'live', { a: 1, b: 1 }, 3],
    ['asks again after a gap', [...caughtUp, delta(5, 6, [{ id: 'a', value: 9 }])], 'catching-up', { a: 1, b: 1 }, 3],
    ['keeps what it holds offline', [...caughtUp, lost], 'offline', { a: 1, b: 1 }, 3],
    [
      'ignores messages of a lost connection',
      [...caughtUp, lost, delta(3, 4, [], ['a'])],
      'offline',
      { a: 1, b: 1 },
      3,
    ],
    [
      'resumes from deltas',
      [...caughtUp, lost, connected, paid, delta(3, 5, [], ['b']), synced(5)],
      'live',
      { a: 1 },
      5,
    ],
    [
      'takes the snapshot of a new server',
      [...caughtUp, lost, connected, paid, snapshot(1, [b1], 'e2')],
      'catching-up',
      { b: 1 },
      1,
    ],
    ['never goes back within an epoch', [...caughtUp, snapshot(2, [])], 'live', { a: 1, b: 1 }, 3],
    [
      'asks again when synced is ahead of it',
      [connected, paid, snapshot(3, [a1]), synced(4)],
      'catching-up',
      { a: 1 },
      3,
    ],
    ['stops at a refusal', [connected, paid, refused], 'refused', {}, undefined],
    ['forgets what it may not see any more', [...caughtUp, refused], 'refused', {}, undefined],
    [
      'takes a snapshot after a refusal: the server shows it after all',
      [...caughtUp, refused, snapshot(9, [b1]), synced(9)],
      'live',
      { b: 1 },
      9,
    ],
    ['takes no delta after a refusal', [...caughtUp, refused, delta(3, 4, [b1])], 'refused', {}, undefined],
    ['forgets everything at the door', [...caughtUp, lost, denied], 'refused', {}, undefined],
    ['goes on when it is let in again', [denied, connected, paid, snapshot(3, [a1]), synced(3)], 'live', { a: 1 }, 3],
    [
      'is not live while the page does not follow it',
      [...caughtUp, { type: 'parked' }],
      'catching-up',
      { a: 1, b: 1 },
      3,
    ],
    [
      'goes over to another epoch by one delta',
      [...caughtUp, crossing(3, 'e2', [{ id: 'a', value: 5 }], ['b']), synced2],
      'live',
      { a: 5 },
      1,
    ],
    [
      'asks again when the other epoch starts elsewhere',
      [...caughtUp, crossing(2, 'e2', [], ['b'])],
      'catching-up',
      { a: 1, b: 1 },
      3,
    ],
  ])('%s', (_, events, ...[phase, entities, revision]) => {
    const state = run(...events)
    expect([state.phase, held(state), state.position?.revision]).toEqual([phase, entities, revision])
    expect(isLoaded(state)).toBe(revision !== undefined)
  })

  test('keeps the identity of entities that did not change, over deltas and over snapshots', () => {
    const before = run(...caughtUp)
    const after = [
      delta(3, 4, [{ ...a1 }]),
      lost,
      connected,
      paid,
      snapshot(9, [{ ...a1 }, { id: 'b', value: 2 }]),
    ].reduce<State>(reduceCollection, before)
    expect(after.entities.get('a')).toBe(before.entities.get('a'))
    expect(after.entities.get('b')).toEqual({ id: 'b', value: 2 })
  })

  test('names its position when it subscribes again', () => {
    expect(unreportedBy('t', run(connected))).toEqual({ event: 'subscribe', message: { topic: 't' } })
    expect(unreportedBy('t', run(...caughtUp, lost, connected))).toEqual({
      event: 'subscribe',
      message: { topic: 't', since: at(3) },
    })
    expect(
      [run(), run(...caughtUp), run(...caughtUp, lost), run(...caughtUp, { type: 'parked' })].map((state) =>
        unreportedBy('t', state),
      ),
    ).toEqual(Array.from({ length: 4 }, () => undefined))
  })

  test('sends a digest on request, and applies the differences', () => {
    const asked = run(...caughtUp, lost, connected, paid, { type: 'compare', message: { topic: 't', of: 4 } })
    const owed = unreportedBy('t', asked)
    expect(owed).toMatchObject({ event: 'digest', message: { topic: 't', since: at(3), of: 4 } })
    const current = [a1, { id: 'c', value: 7 }]
    const { of, buckets, changed } = missingFrom(current, (owed!.message as DigestMessage).hashes)
    expect(buckets).toEqual([...new Set([bucketOf('b', 4), bucketOf('c', 4)])].sort())
    const message = {
      topic: 't',
      epoch: 'e9',
      revision: 4,
      fromEpoch: 'e1',
      from: 3,
      changed,
      removed: [],
      replaces: { of, buckets },
    }
    const after = reduceCollection(reduceCollection(asked, paid), { type: 'delta', message })
    expect(held(after)).toEqual({ a: 1, c: 7 })
    expect(after.entities.get('a')).toBe(asked.entities.get('a'))
  })
})

/** One way into every phase. */
const INTO: Record<Phase, CollectionEvent[]> = {
  connecting: [],
  'catching-up': [connected, paid],
  live: caughtUp,
  stale: [...caughtUp, stale],
  offline: [...caughtUp, lost],
  refused: [...caughtUp, refused],
}

/** Every phase, and what each event makes of it. */
const TABLE: [event: string, CollectionEvent, Record<Phase, Phase>][] = [
  [
    'a connection',
    connected,
    {
      connecting: 'catching-up',
      'catching-up': 'catching-up',
      live: 'catching-up',
      stale: 'catching-up',
      offline: 'catching-up',
      refused: 'catching-up',
    },
  ],
  [
    'a lost connection',
    lost,
    {
      connecting: 'offline',
      'catching-up': 'offline',
      live: 'offline',
      stale: 'offline',
      offline: 'offline',
      refused: 'offline',
    },
  ],
  [
    'a snapshot',
    snapshot(9, [b1]),
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'live',
      stale: 'stale',
      offline: 'offline',
      refused: 'catching-up',
    },
  ],
  [
    'a delta that follows',
    delta(3, 4, [b1]),
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'live',
      stale: 'stale',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'a delta that does not',
    delta(7, 8, [b1]),
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'catching-up',
      stale: 'stale',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'that nothing is missing',
    synced(3),
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'live',
      stale: 'stale',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'a server that is live',
    serverLive,
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'live',
      stale: 'live',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'a server that catches up',
    { type: 'freshness', message: { state: 'syncing' } },
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'catching-up',
      stale: 'catching-up',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'a server that is stale',
    stale,
    {
      connecting: 'connecting',
      'catching-up': 'stale',
      live: 'stale',
      stale: 'stale',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'a refusal of the topic',
    refused,
    {
      connecting: 'connecting',
      'catching-up': 'refused',
      live: 'refused',
      stale: 'refused',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'a refusal at the door',
    denied,
    {
      connecting: 'refused',
      'catching-up': 'refused',
      live: 'refused',
      stale: 'refused',
      offline: 'refused',
      refused: 'refused',
    },
  ],
  [
    'a question for a digest',
    { type: 'compare', message: { topic: 't', of: 1 } },
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'live',
      stale: 'stale',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'a page that looks away',
    { type: 'parked' },
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'catching-up',
      stale: 'stale',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'a page that looks again',
    { type: 'resumed' },
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'catching-up',
      stale: 'stale',
      offline: 'offline',
      refused: 'refused',
    },
  ],
  [
    'a message that was sent',
    paid,
    {
      connecting: 'connecting',
      'catching-up': 'catching-up',
      live: 'live',
      stale: 'stale',
      offline: 'offline',
      refused: 'refused',
    },
  ],
]

describe('every phase', () => {
  test.each(TABLE)('transitions on %s', (_, event, expected) => {
    const next = Object.fromEntries(
      PHASES.map((phase) => {
        const before = run(...INTO[phase])
        expect(before.phase).toBe(phase)
        return [phase, reduceCollection(before, event).phase]
      }),
    )
    expect(next).toEqual(expected)
  })

  test('has an answer to every trigger', () => {
    const triggers: Trigger[] = ['connected', 'lost', 'refused', 'reopened', 'behind', 'current', 'outdated']
    for (const phase of PHASES) expect(Object.keys(TRANSITIONS[phase]).sort()).toEqual(triggers.toSorted())
  })
})

describe('the freshness shown', () => {
  test.each<[string, CollectionEvent[], object]>([
    ['connecting before the first connection', [], { word: 'Connecting' }],
    [
      'offline when there is none',
      [{ type: 'disconnected', at: 2_000, error: 'websocket error' }],
      { word: 'Offline', since: '1970-01-01T00:00:02Z', error: 'websocket error' },
    ],
    ['refused with the reason', [...caughtUp, refused], { word: 'Refused', error: 'not yours' }],
    ['refused at the door', [denied], { word: 'Refused', error: 'log in' }],
    ['connecting before the first synced', [connected, paid, snapshot(3, [])], { word: 'Connecting', revision: 3 }],
    ['reconnecting before a later one', [...caughtUp, lost, connected, paid], { word: 'Reconnecting', revision: 3 }],
    ['connecting while it shows what was read beforehand', [preloaded(3, [a1])], { word: 'Connecting', revision: 3 }],
    ['connecting until that is confirmed', [preloaded(3, [a1]), connected, paid], { word: 'Connecting', revision: 3 }],
    ['live once it is', [preloaded(3, [a1]), connected, paid, synced(3)], { word: 'Live', revision: 3 }],
    ['live', caughtUp, { word: 'Live', revision: 3 }],
    [
      'catching up while the server itself is',
      [...caughtUp, { type: 'freshness', message: { state: 'syncing' } }],
      { word: 'Reconnecting', revision: 3 },
    ],
    [
      'stale when the server lost the control plane',
      [...caughtUp, stale],
      { word: 'Stale', revision: 3, since: '2026-11-21T09:14:02Z', error: 'connection refused' },
    ],
    [
      'live again',
      [...caughtUp, stale, { type: 'freshness', message: { state: 'live' } }],
      { word: 'Live', revision: 3 },
    ],
    [
      'offline beats stale',
      [...caughtUp, stale, lost],
      { word: 'Offline', revision: 3, since: '1970-01-01T00:00:01Z', error: 'transport close' },
    ],
    [
      'offline counts from the first loss',
      [...caughtUp, lost, { type: 'disconnected', at: 9_000 }],
      { word: 'Offline', revision: 3, since: '1970-01-01T00:00:01Z' },
    ],
  ])('is %s', (_, events, expected) => {
    expect(freshnessOf(run(...events))).toEqual(expected)
  })
})

/** A server as the protocol describes it, with a short memory and a wire that keeps order but may lose its tail. */
class ModelServer {
  #epoch = 1
  #revision = 0
  #items = new Map<string, number>()
  #history: DeltaMessage[] = []
  #subscribed = false
  readonly wire: CollectionEvent[] = []
  readonly past = new Map<string, Record<string, number>>([['1:0', {}]])

  position = (): Position => at(this.#revision, String(this.#epoch))
  items = (): Record<string, number> => Object.fromEntries(this.#items)

  write(id: string, value: number | undefined): void {
    if (value === undefined) this.#items.delete(id)
    else this.#items.set(id, value)
    const from = this.#revision++
    const message: DeltaMessage = {
      topic: 't',
      ...this.position(),
      from,
      changed: value === undefined ? [] : [{ id, value }],
      removed: value === undefined ? [id] : [],
    }
    this.past.set(`${this.#epoch}:${this.#revision}`, this.items())
    this.#history = [...this.#history, message].slice(-4)
    if (this.#subscribed) this.wire.push({ type: 'delta', message })
  }

  subscribe({ since }: SubscribeMessage): void {
    this.#subscribed = true
    const missed = this.#history.filter((message) => since?.epoch === message.epoch && message.from >= since.revision)
    const resumable = since?.epoch === String(this.#epoch) && (missed[0]?.from ?? this.#revision) === since.revision
    if (resumable) this.wire.push(...missed.map((message): CollectionEvent => ({ type: 'delta', message })))
    else this.wire.push({ type: 'snapshot', message: this.snapshot() })
    this.wire.push({ type: 'synced', message: { topic: 't', ...this.position() } satisfies SyncedMessage })
  }

  disconnect(): void {
    this.#subscribed = false
    this.wire.length = 0
  }

  restart(): void {
    this.disconnect()
    this.#epoch++
    this.#revision = 0
    this.#history = []
    this.past.set(`${this.#epoch}:0`, this.items())
  }

  snapshot(): SnapshotMessage {
    return {
      topic: 't',
      ...this.position(),
      entities: Object.entries(this.items()).map(([id, value]) => ({ id, value })),
    }
  }
}

type Step =
  | { do: 'write'; id: string; value: number | undefined }
  | { do: 'deliver' | 'reconnect' | 'restart' | 'lose' | 'repeat' | 'preload' | 'arrive' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      id: fc.constantFrom('a', 'b', 'c'),
      value: fc.option(fc.nat(9), { nil: undefined }),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ do: 'deliver' as const }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      { do: 'reconnect' },
      { do: 'restart' },
      { do: 'lose' },
      { do: 'repeat' },
      { do: 'preload' },
      { do: 'arrive' },
    ),
  },
)

class Session {
  readonly server = new ModelServer()
  state: State = initialCollection<Item>()
  /** Snapshots that are on their way beside the connection. */
  readonly #preloads: SnapshotMessage[] = []

  feed(event: CollectionEvent): void {
    this.state = reduceCollection(this.state, event)
    const owed = unreportedBy('t', this.state)
    if (owed?.event === 'subscribe') this.server.subscribe(owed.message)
    this.state = reduceCollection(this.state, paid)
  }

  reconnect(): void {
    this.server.disconnect()
    this.feed(lost)
    this.feed(connected)
  }

  take(step: Step): void {
    if (step.do === 'write') this.server.write(step.id, step.value)
    if (step.do === 'restart') this.server.restart()
    if (step.do === 'restart' || step.do === 'reconnect') this.reconnect()
    if (step.do === 'lose') this.server.wire.shift()
    if (step.do === 'repeat' && this.server.wire[0]) this.server.wire.unshift(this.server.wire[0])
    if (step.do === 'deliver') this.deliver()
    if (step.do === 'preload') this.#preloads.push(this.server.snapshot())
    const arrived = step.do === 'arrive' ? this.#preloads.shift() : undefined
    if (arrived) this.feed({ type: 'preloaded', message: arrived })
  }

  deliver(): void {
    const message = this.server.wire.shift()
    if (message) this.feed(message)
  }
}

describe('any interleaving of writes, deltas, lost and repeated messages, preloads, reconnects and restarts', () => {
  test('shows only collections that the server had, and ends with the one that it has', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(step, { maxLength: 80 }), (connectsFirst, steps) => {
        const session = new Session()
        if (connectsFirst) session.feed(connected)
        for (const step of steps) {
          session.take(step)
          const { position } = session.state
          if (position)
            expect(held(session.state)).toEqual(session.server.past.get(`${position.epoch}:${position.revision}`))
        }
        session.reconnect()
        while (session.server.wire.length > 0) session.deliver()
        expect(session.state.phase).toBe('live')
        expect(held(session.state)).toEqual(session.server.items())
        expect(session.state.position).toEqual(session.server.position())
      }),
      { seed: 20261121, numRuns: 500 },
    )
  })
})
