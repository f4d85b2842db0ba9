import { describe, expect, it } from 'vitest'
import type { SubscribeMessage } from '@/lib/view/live'
import { type AnyCollection, COMMIT_MS, LINGER_MS, LiveConnection, type LiveSocket } from './live-connection'

/** A socket that the test plays the server of, and a clock that it advances. */
function startWorld() {
  const handlers = new Map<string, (argument: unknown) => void>()
  const sent: { event: string; message: unknown }[] = []
  const drawn: { topic: string; state: AnyCollection }[] = []
  let now = 1_000_000
  let timers: { at: number; run: () => void }[] = []
  const socket = {
    connected: false,
    on: (event: string, handler: (argument: unknown) => void) => handlers.set(event, handler),
    emit: (event: string, message: unknown) => sent.push({ event, message }),
  }
  const connection = new LiveConnection({
    socket: socket as unknown as LiveSocket,
    clock: {
      now: () => now,
      after: (ms, run) => {
        const timer = { at: now + ms, run }
        timers.push(timer)
        return () => {
          timers = timers.filter((each) => each !== timer)
        }
      },
    },
    commit: (topic, state) => drawn.push({ topic, state }),
  })
  const receive = (event: string, argument?: unknown) => handlers.get(event)?.(argument)
  return {
    connection, sent, drawn, receive,
    connect: () => {
      socket.connected = true
      receive('connect')
    },
    disconnect: () => {
      socket.connected = false
      receive('disconnect', 'transport close')
    },
    advance: (ms: number) => {
      now += ms
      const due = timers.filter((timer) => timer.at <= now)
      timers = timers.filter((timer) => timer.at > now)
      for (const timer of due) timer.run()
    },
    subscriptions: () => sent.filter(({ event }) => event === 'subscribe').map(({ message }) => message as SubscribeMessage),
    snapshot: (revision: number, ids: string[]) =>
      receive('snapshot', { topic: 'workloads', epoch: 'e', revision, entities: ids.map((id) => ({ id })) }),
    delta: (from: number, id: string) =>
      receive('delta', { topic: 'workloads', epoch: 'e', from, revision: from + 1, changed: [{ id, from }], removed: [] }),
    synced: (revision: number) => receive('synced', { topic: 'workloads', epoch: 'e', revision }),
    last: () => drawn.at(-1)?.state,
  }
}

/** A world in which `workloads` is watched and live at revision 1 with one entity. */
function startLive() {
  const world = startWorld()
  const stop = world.connection.watch('workloads')
  world.connect()
  world.snapshot(1, ['a'])
  world.synced(1)
  // Once for the commit that waits, once more for the pause after it.
  world.advance(COMMIT_MS)
  world.advance(COMMIT_MS)
  return { ...world, stop }
}

describe('the live connection', () => {
  it('subscribes when the socket connects, and draws the snapshot', () => {
    const world = startLive()
    expect(world.subscriptions()).toEqual([{ topic: 'workloads' }])
    expect(world.last()).toMatchObject({ phase: 'live', position: { revision: 1 } })
  })

  it('resumes from its position after a lost connection, and keeps what it had meanwhile', () => {
    const world = startLive()
    world.disconnect()
    world.advance(COMMIT_MS)
    expect(world.last()).toMatchObject({ phase: 'offline' })
    expect(world.last()?.entities.size).toBe(1)
    world.connect()
    expect(world.subscriptions().at(-1)).toEqual({ topic: 'workloads', since: { epoch: 'e', revision: 1 } })
  })

  it('subscribes anew when a delta does not follow', () => {
    const world = startLive()
    world.delta(5, 'b')
    expect(world.subscriptions()).toHaveLength(2)
  })

  it('draws the first change at once and then at most two a second', () => {
    const world = startLive()
    const before = world.drawn.length
    for (let from = 1; from <= 20; from += 1) world.delta(from, `w${from}`)
    expect(world.drawn.length - before).toBe(1)
    world.advance(COMMIT_MS)
    expect(world.drawn.length - before).toBe(2)
    expect(world.last()?.position?.revision).toBe(21)
  })

  it('draws nothing while paused, counts what it holds, and draws it when resumed', () => {
    const world = startLive()
    world.connection.setPaused(true)
    const before = world.drawn.length
    world.delta(1, 'b')
    world.delta(2, 'c')
    world.advance(10 * COMMIT_MS)
    expect(world.drawn.length).toBe(before)
    expect(world.connection.pauseState()).toEqual({ paused: true, held: 2 })
    world.connection.setPaused(false)
    expect(world.last()?.entities.size).toBe(3)
    expect(world.connection.pauseState()).toEqual({ paused: false, held: 0 })
  })

  it('keeps a topic for a while after the last watcher left', () => {
    const world = startLive()
    world.stop()
    world.advance(LINGER_MS - 1)
    world.connection.watch('workloads')
    world.advance(LINGER_MS)
    expect(world.sent.filter(({ event }) => event === 'unsubscribe')).toEqual([])
  })

  it('gives a topic up when nobody came back', () => {
    const world = startLive()
    world.stop()
    world.advance(LINGER_MS)
    expect(world.sent.at(-1)).toEqual({ event: 'unsubscribe', message: { topic: 'workloads' } })
  })
})

describe('a topic that tells of a failover', () => {
  it('is drawn within a frame or three, not at the calm pace of the others', () => {
    const { connection, connect, receive, drawn, advance } = startWorld()
    connection.watch('failover')
    connect()
    const tell = (from: number) => receive('delta', { topic: 'failover', epoch: 'e', from, revision: from + 1, changed: [{ id: 'web', from }], removed: [] })
    receive('snapshot', { topic: 'failover', epoch: 'e', revision: 1, entities: [] })
    tell(1)
    const before = drawn.length
    advance(50)
    expect(drawn.length).toBe(before + 1)
    expect(drawn.at(-1)?.state.entities.get('web')).toMatchObject({ from: 1 })
  })
})
