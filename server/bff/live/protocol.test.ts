/** Both real halves of the protocol against each other: topic and subscription here, the state machine of the browser there. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { FrameMessage } from '@/lib/view/live'
import { type CollectionEvent, type CollectionState, type Entity, initialCollection, owedBy, reduceCollection } from '@/lib/view/live-client'
import { readFrame } from '../testing/live-client'
import { eventually } from '../testing/start-bff'
import type { Frame } from './frames'
import { Subscription } from './subscription'
import { Topic } from './topic'

type Item = Entity & { value: number }

/** Too many to be sent whole to somebody who was elsewhere before. */
const CROWD = Array.from({ length: 80 }, (_, index) => `crowd-${index}`)

/** So many that they are projected a part at a time. */
const THRONG = Array.from({ length: 1_100 }, (_, index) => `crowd-${index}`)

/** Two servers over the same values, one of which may restart, and a browser whose connection may break and may be slow. */
class ControlPlaneCache {
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

  /** The connection is gone, and nobody comes back yet. */
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
    const owed = owedBy('t', this.client)
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
    this.#subscription = new Subscription(this.#topics[this.#server]!, { isDue, readyAt: () => (this.slow ? Infinity : this.clock.elapsed()), compare, onError: (error) => { throw error } }, () => this.ready)
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
      name: 't', epoch: `e${++this.#epoch}`, clock: this.clock, onError: (error) => { throw error },
      project: (id) => {
        const value = this.values.get(id)
        return value === undefined || hidden.has(id) ? undefined : ({ id, value } as Item)
      },
    })
  }
}

const some = fc.constantFrom('a', 'b', 'c', 'crowd-7', 'crowd-70')
const step = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(some, fc.option(fc.nat(9), { nil: undefined })).map(([id, value]) => (world: ControlPlaneCache) => world.write(id, value)) },
  { weight: 5, arbitrary: fc.constant((world: ControlPlaneCache) => world.deliver()) },
  { weight: 3, arbitrary: fc.constantFrom(100, 300).map((ms) => (world: ControlPlaneCache) => world.clock.advance(ms)) },
  { weight: 1, arbitrary: fc.array(some, { maxLength: 3 }).map((ids) => (world: ControlPlaneCache) => world.hide(new Set(ids))) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      (world: ControlPlaneCache) => world.reconnect(),
      (world: ControlPlaneCache) => world.moveOver(),
      (world: ControlPlaneCache) => world.restart(),
      (world: ControlPlaneCache) => world.resume(),
      (world: ControlPlaneCache) => world.leave(),
      (world: ControlPlaneCache) => world.comeBack(0),
      (world: ControlPlaneCache) => world.comeBack(1),
      (world: ControlPlaneCache) => world.clock.set(-3_600_000),
      (world: ControlPlaneCache) => { world.slow = true },
      (world: ControlPlaneCache) => { world.ready = false },
    ),
  },
)

describe('both halves of the live protocol', () => {
  test.each([['few', [], 500], ['many', CROWD, 150]] as const)('agree in the end about %s entities, whatever happens between', (_, crowd, numRuns) => {
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const world = new ControlPlaneCache(crowd)
      world.reconnect()
      for (const take of steps) take(world)
      world.settle()
      expect(world.client.phase).toBe('live')
      expect(world.held).toEqual(world.shown)
    }), { seed: 1121, numRuns })
  })
})

test('they agree about more entities than are projected or written in one go, too', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const world = new ControlPlaneCache(THRONG)
    world.reconnect()
    for (const take of steps) take(world)
    // Large frames are made beside the event loop.
    await eventually(() => {
      world.settle()
      expect([world.client.phase, world.held]).toEqual(['live', world.shown])
    })
  }), { seed: 1121, numRuns: 25 })
}, 60_000)

/** A run of changes, each with the moments between at which a connection may be cut. */
const RUN: ((world: ControlPlaneCache) => void)[] = [
  (world) => world.write('a', 1), (world) => world.clock.advance(300), (world) => world.deliver(),
  (world) => world.write('crowd-3', undefined), (world) => world.write('b', 1), (world) => world.clock.advance(100),
  (world) => world.deliver(), (world) => world.write('b', 2), (world) => world.hide(new Set(['a'])), (world) => world.deliver(),
  (world) => world.clock.advance(300), (world) => world.write('crowd-3', 9), (world) => world.deliver(), (world) => world.deliver(),
  (world) => world.hide(new Set()), (world) => world.clock.advance(300), (world) => world.deliver(), (world) => world.write('a', undefined),
]

describe('a connection that is cut at any point of a recorded run', () => {
  const cuts: [string, (world: ControlPlaneCache) => void][] = [
    ['and comes back to the same server', (world) => world.reconnect()],
    ['and comes back to another server', (world) => world.moveOver()],
    ['and finds its server restarted', (world) => world.restart()],
    ['and comes back elsewhere after its rights changed and things went on', (world) => {
      world.leave()
      world.hide(new Set(['crowd-9', 'b']))
      world.write('crowd-9', 5)
      world.write('crowd-4', undefined)
      world.clock.advance(400)
      world.comeBack(1)
    }],
    ['and comes back to the same server, restarted, with other rights', (world) => {
      world.leave()
      world.hide(new Set(['crowd-9']))
      world.write('crowd-8', 4)
      world.comeBack(0)
      world.restart()
    }],
    ['twice, at both servers', (world) => { world.moveOver(); world.write('c', 3); world.clock.advance(20); world.deliver(); world.moveOver() }],
  ]
  for (const [name, cut] of cuts) {
    test.each(Array.from({ length: RUN.length + 1 }, (_, at) => at))(`${name}, after step %i, ends with the truth`, (at) => {
      const world = new ControlPlaneCache(CROWD)
      world.reconnect()
      world.settle()
      for (const step of RUN.slice(0, at)) step(world)
      cut(world)
      for (const step of RUN.slice(at)) step(world)
      world.settle()
      expect([world.client.phase, world.held]).toEqual(['live', world.shown])
    })
  }
})

describe('a client that comes from another server', () => {
  const arrive = (more: (world: ControlPlaneCache) => void = () => undefined) => {
    const world = new ControlPlaneCache(CROWD)
    world.reconnect()
    world.settle()
    world.sent.length = 0
    more(world)
    world.moveOver()
    return world
  }

  test('gets one delta with what differs, and not the whole collection', () => {
    const world = arrive(({ write, values }) => { void values; void write })
    world.write('crowd-5', 7)
    world.write('crowd-6', undefined)
    world.settle()
    expect(world.comparisons).toBe(1)
    expect(world.sent.map(({ type }) => type)).not.toContain('snapshot')
    const delta = world.sent.find((message) => message.type === 'delta')
    expect(delta?.changed.length).toBeLessThan(20)
    expect(world.held).toEqual(world.shown)
  })

  test('gets nothing but the word that nothing is missing when nothing is', () => {
    const world = arrive()
    world.settle()
    expect(world.sent).toMatchObject([{ type: 'delta', changed: [], removed: [], replaces: { buckets: [] } }, { type: 'synced' }])
  })

  test.each<[string, number, unknown]>([
    ['garbage', 32, 'garbage'], ['too little', 32, new Uint8Array(8)], ['an impossible size', 31, new Uint8Array(31 * 8)], ['nothing', 0, undefined],
  ])('gets a snapshot when its digest is %s', (_, of, hashes) => {
    const world = new ControlPlaneCache(CROWD)
    const sent: FrameMessage[] = []
    const topic = new Topic({ name: 't', epoch: 'x', clock: world.clock, onError: (error) => { throw error }, project: (id) => ({ id }) })
    for (const id of CROWD) topic.touch(id)
    let asked = 0
    const subscription = new Subscription(topic, { isDue: () => undefined, readyAt: () => 0, compare: (buckets) => { asked = buckets }, onError: (error) => { throw error } }, () => true)
    subscription.start({ epoch: 'elsewhere', revision: 9 })
    expect([asked, subscription.take()]).toEqual([32, []])
    subscription.answer({ epoch: 'elsewhere', revision: 9 }, of, hashes)
    for (const { data } of subscription.take()) sent.push(JSON.parse(readFrame(data)) as FrameMessage)
    expect(sent).toMatchObject([{ type: 'snapshot', entities: { length: 80 } }, { type: 'synced' }])
  })
})

describe('rights that change', () => {
  test('take away and give back by deltas alone, and nothing of what was taken is sent any more', () => {
    const world = new ControlPlaneCache(CROWD)
    world.reconnect()
    world.settle()
    world.sent.length = 0
    world.hide(new Set(['crowd-1', 'crowd-2']))
    world.settle()
    expect(world.sent).toMatchObject([{ type: 'delta', changed: [], removed: ['crowd-1', 'crowd-2'] }, { type: 'synced' }])
    world.write('crowd-1', 5)
    world.settle()
    expect(world.sent).toHaveLength(2)
    world.hide(new Set())
    world.settle()
    expect(world.sent.slice(2)).toMatchObject([{ type: 'delta', changed: [{ id: 'crowd-1', value: 5 }, { id: 'crowd-2' }], removed: [] }, { type: 'synced' }])
    expect(world.held).toEqual(world.shown)
  })
})
