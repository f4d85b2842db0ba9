/** Both real halves of the protocol against each other: topic and subscription here, the state machine of the browser there. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { FrameMessage } from '@/lib/view/live'
import {
  type CollectionEvent,
  type CollectionState,
  type Entity,
  initialCollection,
  unreportedBy,
  reduceCollection,
} from '@/lib/view/live-client'
import { readFrame } from '../testing/live-client'
import { eventually } from '../testing/start-bff'
import type { Frame } from './frames'
import { Subscription } from './subscription'
import { Topic } from './topic'

type Item = Entity & { value: number }

/** Too many to be sent whole to a reader of another page. */
const CROWD = Array.from({ length: 80 }, (_, index) => `crowd-${index}`)

/** So many that they are projected a part at a time. */
const THRONG = Array.from({ length: 1_100 }, (_, index) => `crowd-${index}`)

/** Two servers over the same values, one of which may restart, and a browser whose connection may break and may be slow. */
class LiveScenario {
  readonly clock = createFakeClock()
  readonly values = new Map<string, number>()
  readonly wire: CollectionEvent[] = []
  readonly sent: FrameMessage[] = []
  client: CollectionState<Item> = initialCollection()
  slow = false
  away = false
  ready = true
  /** What the reader may not see. */
  hidden: ReadonlySet<string> = new Set()
  comparisons = 0
  #epoch = 0
  #server = 0
  #topics = [this.#newTopic(), this.#newTopic()]
  #subscription: Subscription | undefined
  #due = false

  constructor(crowd: readonly string[] = []) {
    for (const id of crowd) this.write(id, 0)
  }

  get shown(): Record<string, number> {
    return Object.fromEntries([...this.values].filter(([id]) => !this.hidden.has(id)))
  }
  get held(): Record<string, number> {
    return Object.fromEntries([...this.client.entities.values()].map(({ id, value }) => [id, value]))
  }

  write(id: string, value: number | undefined): void {
    if (value === undefined) this.values.delete(id)
    else this.values.set(id, value)
    for (const topic of this.#topics) topic.touch(id)
  }

  restart(): void {
    this.#topics[this.#server] = this.#filled()
    this.reconnect()
  }

  /** The browser comes back at the other server. */
  moveOver(): void {
    this.#server = 1 - this.#server
    this.reconnect()
  }

  /** Other rights: another topic for the same subscription. */
  hide(hidden: ReadonlySet<string>): void {
    this.hidden = hidden
    this.#topics = this.#topics.map(() => this.#filled())
    this.#subscription?.switchTo(this.#topics[this.#server]!)
    this.send()
  }

  reconnect(): void {
    this.leave()
    this.comeBack(this.#server)
  }

  /** The connection is gone, and the client has not reconnected yet. */
  leave(): void {
    this.#subscription?.stop()
    this.#subscription = undefined
    this.wire.length = 0
    this.away = true
    this.feed({ type: 'disconnected', at: 0 })
  }

  /** At the one server or the other. */
  comeBack(server: number): void {
    if (!this.away) return
    this.away = false
    this.#server = server
    this.feed({ type: 'connected' })
  }

  deliver(): void {
    const event = this.wire.shift()
    if (event) this.feed(event)
  }

  /** What a drained socket, or the end of the first sync, brings about. */
  resume(): void {
    this.slow = false
    this.ready = true
    this.#subscription?.notify()
    this.#subscription?.attend()
    this.send()
  }

  settle(): void {
    this.comeBack(0)
    this.resume()
    for (let round = 0; round < 5; round++) {
      this.clock.advance(1000)
      while (this.wire.length > 0) this.deliver()
    }
  }

  send(): void {
    if (this.slow || !this.#due || !this.#subscription) return
    this.#due = false
    for (const frame of this.#subscription.take()) this.#transmit(frame)
    this.#subscription.notify()
  }

  feed(event: CollectionEvent): void {
    this.client = reduceCollection(this.client, event)
    const owed = unreportedBy('t', this.client)
    this.client = reduceCollection(this.client, { type: 'paid' })
    if (owed?.event === 'digest') this.#subscription?.answer(owed.message.since, owed.message.of, owed.message.hashes)
    else if (owed) this.#subscribe(owed.message.since)
    this.send()
  }

  #subscribe(since: Parameters<Subscription['start']>[0]): void {
    this.#subscription?.stop()
    this.#due = false
    const isDue = (): void => {
      this.#due = true
      this.clock.after(0, () => this.send())
    }
    const compare = (of: number): void => {
      this.comparisons += 1
      this.wire.push({ type: 'compare', message: { topic: 't', of } })
    }
    this.#subscription = new Subscription(
      this.#topics[this.#server]!,
      {
        isDue,
        readyAt: () => (this.slow ? Infinity : this.clock.elapsed()),
        compare,
        onError: (error) => {
          throw error
        },
      },
      () => this.ready,
    )
    this.#subscription.start(since)
  }

  #transmit({ data }: Frame): void {
    const message = JSON.parse(readFrame(data)) as FrameMessage
    this.sent.push(message)
    this.wire.push({ type: message.type, message } as CollectionEvent)
  }

  #filled(): Topic {
    const topic = this.#newTopic()
    for (const id of this.values.keys()) topic.touch(id)
    return topic
  }

  #newTopic(): Topic {
    const { hidden } = this
    return new Topic({
      name: 't',
      epoch: `e${++this.#epoch}`,
      clock: this.clock,
      onError: (error) => {
        throw error
      },
      project: (id) => {
        const value = this.values.get(id)
        return value === undefined || hidden.has(id) ? undefined : ({ id, value } as Item)
      },
    })
  }
}

const some = fc.constantFrom('a', 'b', 'c', 'crowd-7', 'crowd-70')
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(some, fc.option(fc.nat(9), { nil: undefined })).map(
      ([id, value]) =>
        (scenario: LiveScenario) =>
          scenario.write(id, value),
    ),
  },
  { weight: 5, arbitrary: fc.constant((scenario: LiveScenario) => scenario.deliver()) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(100, 300).map((ms) => (scenario: LiveScenario) => scenario.clock.advance(ms)),
  },
  {
    weight: 1,
    arbitrary: fc.array(some, { maxLength: 3 }).map((ids) => (scenario: LiveScenario) => scenario.hide(new Set(ids))),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      (scenario: LiveScenario) => scenario.reconnect(),
      (scenario: LiveScenario) => scenario.moveOver(),
      (scenario: LiveScenario) => scenario.restart(),
      (scenario: LiveScenario) => scenario.resume(),
      (scenario: LiveScenario) => scenario.leave(),
      (scenario: LiveScenario) => scenario.comeBack(0),
      (scenario: LiveScenario) => scenario.comeBack(1),
      (scenario: LiveScenario) => scenario.clock.set(-3_600_000),
      (scenario: LiveScenario) => {
        scenario.slow = true
      },
      (scenario: LiveScenario) => {
        scenario.ready = false
      },
    ),
  },
)

describe('both halves of the live protocol', () => {
  test.each([
    ['few', [], 500],
    ['many', CROWD, 150],
  ] as const)('agree in the end about %s entities, whatever happens between', (_, crowd, numRuns) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const scenario = new LiveScenario(crowd)
        scenario.reconnect()
        for (const take of steps) take(scenario)
        scenario.settle()
        expect(scenario.client.phase).toBe('live')
        expect(scenario.held).toEqual(scenario.shown)
      }),
      { seed: 1121, numRuns },
    )
  })
})

test('they agree about more entities than are projected or written in one go, too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const scenario = new LiveScenario(THRONG)
      scenario.reconnect()
      for (const take of steps) take(scenario)
      // Large frames are made beside the event loop.
      await eventually(() => {
        scenario.settle()
        expect([scenario.client.phase, scenario.held]).toEqual(['live', scenario.shown])
      })
    }),
    { seed: 1121, numRuns: 25 },
  )
}, 60_000)

/** A run of changes, each with the moments between at which a connection may be cut. */
const RUN: ((scenario: LiveScenario) => void)[] = [
  (scenario) => scenario.write('a', 1),
  (scenario) => scenario.clock.advance(300),
  (scenario) => scenario.deliver(),
  (scenario) => scenario.write('crowd-3', undefined),
  (scenario) => scenario.write('b', 1),
  (scenario) => scenario.clock.advance(100),
  (scenario) => scenario.deliver(),
  (scenario) => scenario.write('b', 2),
  (scenario) => scenario.hide(new Set(['a'])),
  (scenario) => scenario.deliver(),
  (scenario) => scenario.clock.advance(300),
  (scenario) => scenario.write('crowd-3', 9),
  (scenario) => scenario.deliver(),
  (scenario) => scenario.deliver(),
  (scenario) => scenario.hide(new Set()),
  (scenario) => scenario.clock.advance(300),
  (scenario) => scenario.deliver(),
  (scenario) => scenario.write('a', undefined),
]

describe('a connection that is cut at any point of a recorded run', () => {
  const cuts: [string, (scenario: LiveScenario) => void][] = [
    ['and comes back to the same server', (scenario) => scenario.reconnect()],
    ['and comes back to another server', (scenario) => scenario.moveOver()],
    ['and finds its server restarted', (scenario) => scenario.restart()],
    [
      'and comes back elsewhere after its rights changed and things went on',
      (scenario) => {
        scenario.leave()
        scenario.hide(new Set(['crowd-9', 'b']))
        scenario.write('crowd-9', 5)
        scenario.write('crowd-4', undefined)
        scenario.clock.advance(400)
        scenario.comeBack(1)
      },
    ],
    [
      'and comes back to the same server, restarted, with other rights',
      (scenario) => {
        scenario.leave()
        scenario.hide(new Set(['crowd-9']))
        scenario.write('crowd-8', 4)
        scenario.comeBack(0)
        scenario.restart()
      },
    ],
    [
      'twice, at both servers',
      (scenario) => {
        scenario.moveOver()
        scenario.write('c', 3)
        scenario.clock.advance(20)
        scenario.deliver()
        scenario.moveOver()
      },
    ],
  ]
  for (const [name, cut] of cuts) {
    test.each(Array.from({ length: RUN.length + 1 }, (_, at) => at))(
      `${name}, after step %i, ends with the truth`,
      (at) => {
        const scenario = new LiveScenario(CROWD)
        scenario.reconnect()
        scenario.settle()
        for (const step of RUN.slice(0, at)) step(scenario)
        cut(scenario)
        for (const step of RUN.slice(at)) step(scenario)
        scenario.settle()
        expect([scenario.client.phase, scenario.held]).toEqual(['live', scenario.shown])
      },
    )
  }
})

describe('a client that comes from another server', () => {
  const arrive = (more: (scenario: LiveScenario) => void = () => undefined) => {
    const scenario = new LiveScenario(CROWD)
    scenario.reconnect()
    scenario.settle()
    scenario.sent.length = 0
    more(scenario)
    scenario.moveOver()
    return scenario
  }

  test('gets one delta with what differs, and not the whole collection', () => {
    const scenario = arrive(({ write, values }) => {
      void values
      void write
    })
    scenario.write('crowd-5', 7)
    scenario.write('crowd-6', undefined)
    scenario.settle()
    expect(scenario.comparisons).toBe(1)
    expect(scenario.sent.map(({ type }) => type)).not.toContain('snapshot')
    const delta = scenario.sent.find((message) => message.type === 'delta')
    expect(delta?.changed.length).toBeLessThan(20)
    expect(scenario.held).toEqual(scenario.shown)
  })

  test('only confirms that nothing is missing if nothing is', () => {
    const scenario = arrive()
    scenario.settle()
    expect(scenario.sent).toMatchObject([
      { type: 'delta', changed: [], removed: [], replaces: { buckets: [] } },
      { type: 'synced' },
    ])
  })

  test.each<[string, number, unknown]>([
    ['garbage', 32, 'garbage'],
    ['too little', 32, new Uint8Array(8)],
    ['an impossible size', 31, new Uint8Array(31 * 8)],
    ['nothing', 0, undefined],
  ])('gets a snapshot when its digest is %s', (_, of, hashes) => {
    const scenario = new LiveScenario(CROWD)
    const sent: FrameMessage[] = []
    const topic = new Topic({
      name: 't',
      epoch: 'x',
      clock: scenario.clock,
      onError: (error) => {
        throw error
      },
      project: (id) => ({ id }),
    })
    for (const id of CROWD) topic.touch(id)
    let asked = 0
    const subscription = new Subscription(
      topic,
      {
        isDue: () => undefined,
        readyAt: () => 0,
        compare: (buckets) => {
          asked = buckets
        },
        onError: (error) => {
          throw error
        },
      },
      () => true,
    )
    subscription.start({ epoch: 'elsewhere', revision: 9 })
    expect([asked, subscription.take()]).toEqual([32, []])
    subscription.answer({ epoch: 'elsewhere', revision: 9 }, of, hashes)
    for (const { data } of subscription.take()) sent.push(JSON.parse(readFrame(data)) as FrameMessage)
    expect(sent).toMatchObject([{ type: 'snapshot', entities: { length: 80 } }, { type: 'synced' }])
  })
})

describe('rights that change', () => {
  test('remove and add entities by deltas alone, and nothing of removed ones is sent any more', () => {
    const scenario = new LiveScenario(CROWD)
    scenario.reconnect()
    scenario.settle()
    scenario.sent.length = 0
    scenario.hide(new Set(['crowd-1', 'crowd-2']))
    scenario.settle()
    expect(scenario.sent).toMatchObject([
      { type: 'delta', changed: [], removed: ['crowd-1', 'crowd-2'] },
      { type: 'synced' },
    ])
    scenario.write('crowd-1', 5)
    scenario.settle()
    expect(scenario.sent).toHaveLength(2)
    scenario.hide(new Set())
    scenario.settle()
    expect(scenario.sent.slice(2)).toMatchObject([
      { type: 'delta', changed: [{ id: 'crowd-1', value: 5 }, { id: 'crowd-2' }], removed: [] },
      { type: 'synced' },
    ])
    expect(scenario.held).toEqual(scenario.shown)
  })
})
