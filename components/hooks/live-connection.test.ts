import { describe, expect, it } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { SnapshotMessage, SubscribeMessage } from '@/lib/view/live'
import {
  type AnyCollection,
  COMMIT_MS,
  HIDDEN_MS,
  LINGER_MS,
  LiveConnection,
  type LiveSocket,
  RETURN_WITHIN_MS,
} from './live-connection'

/** A socket that the test plays the server of, and a clock that it advances. */
function startConnection() {
  const handlers = new Map<string, (argument: unknown) => void>()
  const sent: { event: string; message: unknown }[] = []
  const drawn: { topic: string; state: AnyCollection }[] = []
  const commits: string[][] = []
  const clock = createFakeClock()
  const reader = { read: (text: string): string | Promise<string> => text }
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
    readFrame: (frame) => reader.read(new TextDecoder().decode(frame)),
    commit: (states) => {
      commits.push([...states.keys()])
      for (const [topic, state] of states) drawn.push({ topic, state })
    },
  })
  const receive = (event: string, argument?: unknown) => handlers.get(event)?.(argument)
  const frames = (...messages: object[]) =>
    receive(
      'frames',
      messages.map((message) => new TextEncoder().encode(JSON.stringify(message)).buffer),
    )
  const frame = (message: object) => frames(message)
  return {
    connection,
    sent,
    drawn,
    commits,
    receive,
    frame,
    frames,
    reader,
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

/** A connection in which `workloads` is watched and live at revision 1 with one entity. */
function startLive() {
  const setup = startConnection()
  const stop = setup.connection.watch('workloads')
  setup.connect()
  setup.snapshot(1, ['a'])
  setup.synced(1)
  // Once for the commit that waits, once more for the pause after it.
  setup.advance(COMMIT_MS)
  setup.advance(COMMIT_MS)
  return { ...setup, stop }
}

describe('a topic whose first snapshot is read beside the connection', () => {
  const startPreloading = () => {
    const setup = startConnection()
    const arriving = Promise.withResolvers<SnapshotMessage | undefined>()
    setup.connection.preload('workloads', arriving.promise)
    return { ...setup, arriving }
  }
  const message = { topic: 'workloads', epoch: 'e', revision: 4, entities: [{ id: 'a' }] }

  it('is drawn before there is a connection, and subscribed to from there', async () => {
    const { arriving, connect, last, subscriptions, synced } = startPreloading()
    arriving.resolve(message)
    await arriving.promise
    expect([last()?.phase, last()?.entities.size]).toEqual(['connecting', 1])
    connect()
    expect(subscriptions()).toEqual([{ topic: 'workloads', since: { epoch: 'e', revision: 4 } }])
    synced(4)
    expect(last()?.entities.size).toBe(1)
  })

  it('is not subscribed to before the snapshot is there', async () => {
    const { arriving, connect, subscriptions } = startPreloading()
    connect()
    expect(subscriptions()).toEqual([])
    arriving.resolve(message)
    await arriving.promise
    expect(subscriptions()).toEqual([{ topic: 'workloads', since: { epoch: 'e', revision: 4 } }])
  })

  it('is subscribed to from the beginning if there is none', async () => {
    const { arriving, connect, subscriptions } = startPreloading()
    connect()
    arriving.resolve(undefined)
    await arriving.promise
    expect(subscriptions()).toEqual([{ topic: 'workloads' }])
  })

  it('is not taken up again when it was given up meanwhile', async () => {
    const { connection, arriving, connect, advance, drawn, subscriptions } = startPreloading()
    connection.preload('clusters', Promise.resolve(undefined))()
    await Promise.resolve()
    connect()
    advance(LINGER_MS)
    arriving.resolve({ ...message, topic: 'clusters' })
    await arriving.promise
    expect(subscriptions().map(({ topic }) => topic)).toEqual(['clusters', 'workloads'])
    expect(drawn.every(({ topic }) => topic === 'clusters' || topic === 'workloads')).toBe(true)
  })
})

describe('a topic that is listened to', () => {
  const entities = (state: AnyCollection | undefined) => [...(state?.entities.keys() ?? [])]

  it('is followed while the page is hidden, and told at once while updates are paused', () => {
    const live = startConnection()
    const told: AnyCollection[] = []
    const stop = live.connection.listen('workloads', (state) => told.push(state))
    live.connect()
    live.snapshot(1, ['a'])
    live.connection.setPaused(true)
    live.connection.setHidden(true)
    live.advance(HIDDEN_MS)
    live.delta(1, 'b')
    expect(entities(told.at(-1))).toEqual(['a', 'b'])
    expect(live.drawn.some(({ state }) => state.entities.has('b'))).toBe(false)
    expect(live.sent.filter(({ event }) => event === 'unsubscribe')).toEqual([])
    stop()
    live.delta(2, 'c')
    expect(entities(told.at(-1))).toEqual(['a', 'b'])
  })

  it('is asked for again where the page was hidden before', () => {
    const live = startConnection()
    live.connect()
    live.connection.watch('workloads')
    live.snapshot(1, ['a'])
    live.connection.setHidden(true)
    live.advance(HIDDEN_MS)
    const before = live.subscriptions().length
    live.connection.listen('workloads', () => undefined)
    const again = live
      .subscriptions()
      .slice(before)
      .find(({ topic }) => topic === 'workloads')
    expect(again?.since).toEqual({ epoch: 'e', revision: 1 })
  })
})

describe('the live connection', () => {
  it('subscribes when the socket connects, and draws the snapshot', () => {
    const setup = startLive()
    expect(setup.subscriptions()).toEqual([{ topic: 'workloads' }])
    expect(setup.last()).toMatchObject({ phase: 'live', position: { revision: 1 } })
  })

  it('resumes from its position after a lost connection, and keeps what it had meanwhile', () => {
    const setup = startLive()
    setup.disconnect()
    setup.advance(COMMIT_MS)
    expect(setup.last()).toMatchObject({ phase: 'offline' })
    expect(setup.last()?.entities.size).toBe(1)
    setup.connect()
    expect(setup.subscriptions().at(-1)).toEqual({ topic: 'workloads', since: { epoch: 'e', revision: 1 } })
  })

  it('subscribes anew when a delta does not follow', () => {
    const setup = startLive()
    setup.delta(5, 'b')
    expect(setup.subscriptions()).toHaveLength(2)
  })

  it('draws the first change at once and the next ones together, after the interval', () => {
    const setup = startLive()
    const before = setup.drawn.length
    for (let from = 1; from <= 20; from += 1) setup.delta(from, `w${from}`)
    expect(setup.drawn.length - before).toBe(1)
    setup.advance(COMMIT_MS)
    expect(setup.drawn.length - before).toBe(2)
    expect(setup.last()?.position?.revision).toBe(21)
  })

  it.each([
    ['back', -3_600_000],
    ['forth', 3_600_000],
  ])('goes on drawing though the clock of the machine is set %s', (_, byMs) => {
    const setup = startLive()
    setup.clock.set(byMs)
    setup.delta(1, 'b')
    setup.delta(2, 'c')
    setup.advance(COMMIT_MS)
    expect(setup.last()?.position?.revision).toBe(3)
  })

  it('draws nothing while paused, counts pending changes, and draws them when resumed', () => {
    const setup = startLive()
    setup.connection.setPaused(true)
    const before = setup.drawn.length
    setup.delta(1, 'b')
    setup.delta(2, 'c')
    setup.advance(10 * COMMIT_MS)
    expect(setup.drawn.length).toBe(before)
    expect(setup.connection.pauseState()).toEqual({ paused: true, held: 2 })
    setup.connection.setPaused(false)
    expect(setup.last()?.entities.size).toBe(3)
    expect(setup.connection.pauseState()).toEqual({ paused: false, held: 0 })
  })

  it('keeps a topic for a while after the last watcher left', () => {
    const setup = startLive()
    setup.stop()
    setup.advance(LINGER_MS - 1)
    setup.connection.watch('workloads')
    setup.advance(LINGER_MS)
    expect(setup.sent.filter(({ event }) => event === 'unsubscribe')).toEqual([])
  })

  it('unsubscribes from a topic when no page watches it again in time', () => {
    const setup = startLive()
    setup.stop()
    setup.advance(LINGER_MS)
    expect(setup.sent.at(-1)).toEqual({ event: 'unsubscribe', message: { topic: 'workloads' } })
  })
})

describe('a hidden page', () => {
  it('keeps only the summary, and resumes from its last revision when it is shown again', () => {
    const setup = startLive()
    setup.connection.setHidden(true)
    setup.advance(HIDDEN_MS - 1)
    expect(setup.sent.map(({ event }) => event)).toEqual(['subscribe'])
    setup.advance(1)
    expect(setup.sent.slice(1)).toEqual([
      { event: 'subscribe', message: { topic: 'summary' } },
      { event: 'unsubscribe', message: { topic: 'workloads' } },
    ])
    setup.connection.watch('clusters')
    expect(setup.subscriptions().map(({ topic }) => topic)).not.toContain('clusters')
    setup.connection.setHidden(false)
    expect(setup.subscriptions().slice(2)).toEqual([
      { topic: 'workloads', since: { epoch: 'e', revision: 1 } },
      { topic: 'clusters' },
    ])
    setup.snapshot(1, ['a'])
    setup.synced(1)
    setup.advance(COMMIT_MS)
    expect(setup.drawn.findLast(({ topic }) => topic === 'workloads')?.state.phase).toBe('live')
  })

  it('comes back to the summary alone after a lost connection', () => {
    const setup = startLive()
    setup.connection.setHidden(true)
    setup.advance(HIDDEN_MS)
    setup.disconnect()
    setup.connect()
    expect(setup.subscriptions().slice(2)).toEqual([{ topic: 'summary' }])
    setup.connection.setHidden(false)
    expect(setup.subscriptions().at(-1)).toEqual({ topic: 'workloads', since: { epoch: 'e', revision: 1 } })
  })

  it('is not troubled by a short look elsewhere', () => {
    const setup = startLive()
    setup.connection.setHidden(true)
    setup.connection.setHidden(false)
    setup.advance(2 * HIDDEN_MS)
    expect(setup.sent).toHaveLength(1)
  })
})

describe('a server that closes the connection', () => {
  it('for a restart is sought again, soon and not by all at once', () => {
    const setup = startLive()
    setup.receive('goodbye', { reason: 'shutdown', message: 'Back soon.', final: false })
    setup.socket.active = false
    setup.disconnect()
    setup.advance(RETURN_WITHIN_MS)
    expect(setup.last()).toMatchObject({ phase: 'offline', error: 'Back soon.' })
    expect(setup.connects()).toBe(1)
  })

  it('is not sought again when it was the page that left', () => {
    const setup = startLive()
    setup.socket.active = false
    setup.socket.connected = false
    setup.receive('disconnect', 'io client disconnect')
    setup.advance(60_000)
    expect(setup.connects()).toBe(0)
  })

  it('after the end of a session clears the screen and does not retry', () => {
    const setup = startLive()
    setup.receive('goodbye', { reason: 'expired', message: 'Your session has ended; log in again.', final: true })
    setup.socket.active = false
    setup.disconnect()
    setup.advance(60_000)
    expect(setup.last()).toMatchObject({ phase: 'refused', error: 'Your session has ended; log in again.' })
    expect(setup.last()?.entities.size).toBe(0)
    expect(setup.connects()).toBe(0)
  })

  it.each([
    [true, 'refused'],
    [false, 'offline'],
  ])('before it begins says why; final %s shows %s, and the door is tried again', (final, phase) => {
    const setup = startLive()
    setup.socket.connected = false
    setup.socket.active = false
    setup.receive('connect_error', Object.assign(new Error('Log in first.'), { data: { final } }))
    setup.advance(COMMIT_MS)
    expect(setup.last()).toMatchObject({ phase, error: 'Log in first.' })
    setup.advance(10_000)
    expect(setup.connects()).toBe(1)
  })
})

it('answers a request for its digest, in the order of the messages', () => {
  const setup = startLive()
  setup.delta(1, 'b')
  setup.receive('compare', { topic: 'workloads', of: 2 })
  expect(setup.sent.at(-1)).toMatchObject({
    event: 'digest',
    message: { topic: 'workloads', since: { epoch: 'e', revision: 2 }, of: 2 },
  })
})

it('connects anew when a frame cannot be read', () => {
  const setup = startLive()
  setup.receive('frames', [new TextEncoder().encode('{')])
  expect(setup.connects()).toBe(1)
})

describe('topics of one page', () => {
  const snapshotOf = (topic: string) => ({ type: 'snapshot', topic, epoch: 'e', revision: 1, entities: [{ id: 'a' }] })
  const deltaOf = (topic: string, from: number) => ({
    type: 'delta',
    topic,
    epoch: 'e',
    from,
    revision: from + 1,
    changed: [{ id: 'a', from }],
    removed: [],
  })

  /** Both are loaded, and nothing was drawn for a while. */
  const startBoth = (...others: string[]) => {
    const setup = startConnection()
    const topics = ['clusters', 'workloads', ...others]
    for (const topic of topics) setup.connection.watch(topic)
    setup.connect()
    setup.frames(...topics.map(snapshotOf))
    setup.advance(COMMIT_MS)
    setup.advance(COMMIT_MS)
    setup.commits.length = 0
    return setup
  }

  it('are drawn together when one message changes them, also where a frame must be decompressed', async () => {
    const setup = startBoth()
    setup.frames(deltaOf('clusters', 1), deltaOf('workloads', 1))
    expect(setup.commits).toEqual([['clusters', 'workloads']])

    setup.advance(COMMIT_MS)
    const reading = Promise.withResolvers<string>()
    setup.reader.read = (text) => (text.includes('workloads') ? reading.promise.then(() => text) : text)
    setup.frames(deltaOf('clusters', 2), deltaOf('workloads', 2))
    expect(setup.commits).toHaveLength(1)
    reading.resolve('')
    await expect
      .poll(() => setup.commits)
      .toEqual([
        ['clusters', 'workloads'],
        ['clusters', 'workloads'],
      ])
  })

  it('wait for each other when one of them was drawn shortly before', () => {
    const setup = startBoth()
    setup.frame(deltaOf('workloads', 1))
    setup.advance(10)
    setup.frames(deltaOf('clusters', 1), deltaOf('workloads', 2))
    setup.advance(COMMIT_MS - 11)
    expect(setup.commits).toEqual([['workloads']])
    setup.advance(1)
    expect(setup.commits).toEqual([['workloads'], ['clusters', 'workloads']])
  })

  it('do not delay the first list of another one', () => {
    const setup = startBoth()
    setup.frame(deltaOf('workloads', 1))
    setup.connection.watch('queues')
    setup.frame(deltaOf('clusters', 1))
    setup.frame(snapshotOf('queues'))
    expect(setup.commits).toEqual([['workloads'], ['clusters', 'queues']])
  })

  it('go on together when the page is shown again', () => {
    const setup = startBoth()
    setup.connection.setHidden(true)
    setup.advance(HIDDEN_MS)
    setup.advance(COMMIT_MS)
    setup.advance(COMMIT_MS)
    setup.commits.length = 0
    setup.connection.setHidden(false)
    expect(setup.commits[0]).toEqual(['clusters', 'workloads'])
  })

  it('are drawn with what is known of a failover', () => {
    const setup = startBoth('failover')
    setup.frame(deltaOf('failover', 1))
    setup.frames(deltaOf('failover', 2), deltaOf('clusters', 1))
    setup.advance(COMMIT_MS)
    expect(setup.commits).toEqual([['failover'], ['clusters', 'failover']])
  })
})

describe('a topic that tells of a failover', () => {
  it('is drawn within a frame or three, not at the calm pace of the others', () => {
    const { connection, connect, frame, drawn, advance } = startConnection()
    connection.watch('failover')
    connect()
    const notify = (from: number) =>
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
    notify(1)
    const before = drawn.length
    advance(50)
    expect(drawn.length).toBe(before + 1)
    expect(drawn.at(-1)?.state.entities.get('web')).toMatchObject({ from: 1 })
  })
})
