/** Both real halves of the protocol against each other: topic and subscription here, the state machine of the browser there. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { type CollectionEvent, type CollectionState, type Entity, initialCollection, reduceCollection, subscriptionOf } from '@/lib/view/live-client'
import { type Outlet, Subscription } from './subscription'
import { Topic } from './topic'

type Item = Entity & { value: number }

/** A server that may restart, and a browser whose connection may break and may be slow. */
class World {
  readonly clock = createFakeClock()
  readonly values = new Map<string, number>()
  readonly wire: CollectionEvent[] = []
  client: CollectionState<Item> = initialCollection()
  slow = false
  ready = true
  #epoch = 0
  #topic = this.#newTopic()
  #subscription: Subscription | undefined

  get server(): Record<string, number> {
    return Object.fromEntries(this.values)
  }
  get held(): Record<string, number> {
    return Object.fromEntries([...this.client.entities.values()].map(({ id, value }) => [id, value]))
  }

  write(id: string, value: number | undefined): void {
    if (value === undefined) this.values.delete(id)
    else this.values.set(id, value)
    this.#topic.touch(id)
  }

  restart(): void {
    this.#topic = this.#newTopic()
    for (const id of this.values.keys()) this.#topic.touch(id)
    this.reconnect()
  }

  reconnect(): void {
    this.#subscription?.stop()
    this.wire.length = 0
    this.#feed({ type: 'disconnected', at: 0 })
    this.#feed({ type: 'connected' })
  }

  deliver(): void {
    const event = this.wire.shift()
    if (event) this.#feed(event)
  }

  /** What a drained socket, or the end of the first sync, brings about. */
  resume(): void {
    this.slow = false
    this.ready = true
    this.#subscription?.notify()
  }

  settle(): void {
    this.resume()
    this.clock.advance(1000)
    while (this.wire.length > 0) this.deliver()
  }

  #newTopic(): Topic {
    return new Topic({
      name: 't', epoch: `e${++this.#epoch}`, clock: this.clock, onError: (error) => { throw error },
      project: (id) => {
        const value = this.values.get(id)
        return value === undefined ? undefined : ({ id, value } as Item)
      },
    })
  }

  #feed(event: CollectionEvent): void {
    this.client = reduceCollection(this.client, event)
    if (this.client.phase !== 'unsubscribed') return
    const { since } = subscriptionOf('t', this.client)
    this.client = reduceCollection(this.client, { type: 'subscribed' })
    this.#subscription?.stop()
    this.#subscription = new Subscription(this.#topic, this.#outlet(), () => this.ready)
    this.#subscription.start(since)
  }

  #outlet(): Outlet {
    return {
      canTake: () => !this.slow,
      snapshot: (message) => void this.wire.push({ type: 'snapshot', message }),
      delta: (message) => void this.wire.push({ type: 'delta', message }),
      synced: (message) => void this.wire.push({ type: 'synced', message }),
    }
  }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.option(fc.nat(9), { nil: undefined })).map(([id, value]) => (world: World) => world.write(id, value)) },
  { weight: 5, arbitrary: fc.constant((world: World) => world.deliver()) },
  { weight: 3, arbitrary: fc.constantFrom(100, 300).map((ms) => (world: World) => world.clock.advance(ms)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      (world: World) => world.reconnect(),
      (world: World) => world.restart(),
      (world: World) => world.resume(),
      (world: World) => { world.slow = true },
      (world: World) => { world.ready = false },
    ),
  },
)

describe('both halves of the live protocol', () => {
  test('agree in the end, whatever happens between: changes, slowness, lost connections, restarts', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const world = new World()
      world.reconnect()
      for (const take of steps) take(world)
      world.settle()
      expect(world.client.phase).toBe('live')
      expect(world.held).toEqual(world.server)
    }), { seed: 1121, numRuns: 500 })
  })
})
