import { describe, expect, it } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { SubscribeMessage } from '@/lib/view/live'
import { type AnyCollection, COMMIT_MS, HIDDEN_MS, LINGER_MS, LiveConnection, type LiveSocket } from './live-connection'

/** A socket that the test plays the server of, and a clock that it advances. */
function startWorld() {
  const handlers = new Map<string, (argument: unknown) => void>()
  const sent: { event: string; message: unknown }[] = []
  const drawn: { topic: string; state: AnyCollection }[] = []
  const clock = createFakeClock()
  let connects = 0
  const socket = {
    connected: false,
    active: true,
    connect: () => {
      connects += 1
    },
    disconnect: () => undefined,
    on: (event: string, handler: (argument: unknown) => void) => handlers.set(event, handler),
    emit: (event: string, message: unknown) => sent.push({ event, message }),
  }
  const connection = new LiveConnection({
    socket: socket as unknown as LiveSocket,
    clock,
    random: () => 0.5,
    readFrame: (frame) => new TextDecoder().decode(frame),
    commit: (topic, state) => drawn.push({ topic, state }),
  })
  const receive = (event: string, argument?: unknown) => handlers.get(event)?.(argument)
  const frame = (message: object) => receive('frames', [new TextEncoder().encode(JSON.stringify(message)).buffer])
  return {
    connection,
    sent,
    drawn,
    receive,
    frame,
    socket,
    connects: () => connects,
    connect: () => {
      socket.connected = true
      receive('connect')
    },
    disconnect: () => {
      socket.connected = false
      receive('disconnect', 'transport close')
    },
    clock,
    advance: clock.advance,
    subscriptions: () =>
      sent.filter(({ event }) => event === 'subscribe').map(({ message }) => message as SubscribeMessage),
    snapshot: (revision: number, ids: string[]) =>
      frame({ type: 'snapshot', topic: 'workloads', epoch: 'e', revision, entities: ids.map((id) => ({ id })) }),
    delta: (from: number, id: string) =>
      frame({
        type: 'delta',
        topic: 'workloads',
        epoch: 'e',
        from,
        revision: from + 1,
        changed: [{ id, from }],
        removed: [],
      }),
    synced: (revision: number) => frame({ type: 'synced', topic: 'workloads', epoch: 'e', revision }),
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

  it.each([
    ['back', -3_600_000],
    ['forth', 3_600_000],
  ])('goes on drawing though the clock of the machine is set %s', (_, byMs) => {
    const world = startLive()
    world.clock.set(byMs)
    world.delta(1, 'b')
    world.delta(2, 'c')
    world.advance(COMMIT_MS)
    expect(world.last()?.position?.revision).toBe(3)
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

describe('a page that nobody sees', () => {
  it('keeps nothing but the summary, and resumes where it was when it is seen again', () => {
    const world = startLive()
    world.connection.setHidden(true)
    world.advance(HIDDEN_MS - 1)
    expect(world.sent.map(({ event }) => event)).toEqual(['subscribe'])
    world.advance(1)
    expect(world.sent.slice(1)).toEqual([
      { event: 'subscribe', message: { topic: 'summary' } },
      { event: 'unsubscribe', message: { topic: 'workloads' } },
    ])
    world.connection.watch('clusters')
    expect(world.subscriptions().map(({ topic }) => topic)).not.toContain('clusters')
    world.connection.setHidden(false)
    expect(world.subscriptions().slice(2)).toEqual([
      { topic: 'workloads', since: { epoch: 'e', revision: 1 } },
      { topic: 'clusters' },
    ])
    world.snapshot(1, ['a'])
    world.synced(1)
    world.advance(COMMIT_MS)
    expect(world.drawn.findLast(({ topic }) => topic === 'workloads')?.state.phase).toBe('live')
  })

  it('comes back to the summary alone after a lost connection', () => {
    const world = startLive()
    world.connection.setHidden(true)
    world.advance(HIDDEN_MS)
    world.disconnect()
    world.connect()
    expect(world.subscriptions().slice(2)).toEqual([{ topic: 'summary' }])
    world.connection.setHidden(false)
    expect(world.subscriptions().at(-1)).toEqual({ topic: 'workloads', since: { epoch: 'e', revision: 1 } })
  })

  it('is not troubled by a short look elsewhere', () => {
    const world = startLive()
    world.connection.setHidden(true)
    world.connection.setHidden(false)
    world.advance(2 * HIDDEN_MS)
    expect(world.sent).toHaveLength(1)
  })
})

describe('a server that closes the connection', () => {
  it('for a restart is sought again, soon and not by all at once', () => {
    const world = startLive()
    world.receive('goodbye', { reason: 'shutdown', message: 'Back soon.', final: false })
    world.socket.active = false
    world.disconnect()
    world.advance(COMMIT_MS)
    expect(world.last()).toMatchObject({ phase: 'offline', error: 'Back soon.' })
    expect(world.connects()).toBe(1)
  })

  it('is not sought again when it was the page that left', () => {
    const world = startLive()
    world.socket.active = false
    world.socket.connected = false
    world.receive('disconnect', 'io client disconnect')
    world.advance(60_000)
    expect(world.connects()).toBe(0)
  })

  it('because the session ended leaves nothing on screen and is not asked again', () => {
    const world = startLive()
    world.receive('goodbye', { reason: 'expired', message: 'Your session has ended; log in again.', final: true })
    world.socket.active = false
    world.disconnect()
    world.advance(60_000)
    expect(world.last()).toMatchObject({ phase: 'refused', error: 'Your session has ended; log in again.' })
    expect(world.last()?.entities.size).toBe(0)
    expect(world.connects()).toBe(0)
  })

  it.each([
    [true, 'refused'],
    [false, 'offline'],
  ])('before it begins says why; final %s shows %s, and the door is tried again', (final, phase) => {
    const world = startLive()
    world.socket.connected = false
    world.socket.active = false
    world.receive('connect_error', Object.assign(new Error('Log in first.'), { data: { final } }))
    world.advance(COMMIT_MS)
    expect(world.last()).toMatchObject({ phase, error: 'Log in first.' })
    world.advance(10_000)
    expect(world.connects()).toBe(1)
  })
})

it('answers a question for its digest, in the order of what it was told', () => {
  const world = startLive()
  world.delta(1, 'b')
  world.receive('compare', { topic: 'workloads', of: 2 })
  expect(world.sent.at(-1)).toMatchObject({
    event: 'digest',
    message: { topic: 'workloads', since: { epoch: 'e', revision: 2 }, of: 2 },
  })
})

it('connects anew when a frame cannot be read', () => {
  const world = startLive()
  world.receive('frames', [new TextEncoder().encode('{')])
  expect(world.connects()).toBe(1)
})

describe('a topic that tells of a failover', () => {
  it('is drawn within a frame or three, not at the calm pace of the others', () => {
    const { connection, connect, frame, drawn, advance } = startWorld()
    connection.watch('failover')
    connect()
    const tell = (from: number) =>
      frame({
        type: 'delta',
        topic: 'failover',
        epoch: 'e',
        from,
        revision: from + 1,
        changed: [{ id: 'web', from }],
        removed: [],
      })
    frame({ type: 'snapshot', topic: 'failover', epoch: 'e', revision: 1, entities: [] })
    tell(1)
    const before = drawn.length
    advance(50)
    expect(drawn.length).toBe(before + 1)
    expect(drawn.at(-1)?.state.entities.get('web')).toMatchObject({ from: 1 })
  })
})
