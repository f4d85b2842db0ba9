/**
 * Many clients in their own process: sockets that receive every message. A few of each view are clients of socket.io
 * that parse their messages and record the age of each change; all others count, because a process of thousands of
 * browsers would measure itself instead of the server.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { io, type Socket } from 'socket.io-client'
import { type ClientToServer, type FrameData, type FrameMessage, LIVE_PATH, type ServerToClient } from '@/lib/view/live'
import { readFrame } from '../live-topic'
import { CountingClient } from './counting-client'
import { clockNow, topicOf, youngestStamp } from './fleet'

/** Which topics a view follows. */
export const VIEWS = ['workloads', 'workload', 'failover', 'clusters'] as const
export type View = (typeof VIEWS)[number]

export interface ClientsOptions {
  url: string
  clients: number
  /** Number of workloads that are open on pages. */
  pages: number
  /** Clients of each view that parse their messages. */
  readers: number
}

/** Messages of one view since the last query. */
export interface ViewFigures {
  clients: number
  messages: number
  bytes: number
  /** Of the parsing clients: received bytes, as text. */
  textBytes: number
  /** Of the readers: how old each change was when it was there, in milliseconds, sorted. */
  ages: number[]
  /** Changes that one client got, by the readers. */
  changesPerClient: number
}

interface Counted extends ViewFigures {
  isReading: boolean
}

const counted = new Map<View, Counted>()
interface Connected {
  /** Breaks the connection. */
  break: () => void
  /** True after the first message on the connection. */
  isServed: boolean
}

const sockets: Connected[] = []
/** Clients that still wait for their first message after this time are given up. */
const SERVED_WITHIN_MS = 60_000
const SAMPLE_MS = 5
/** What of the age of a change is this process, which is a thousand browsers. */
const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS })

async function run({ url, clients, pages, readers }: ClientsOptions): Promise<void> {
  const each = Math.floor(clients / VIEWS.length)
  for (const view of VIEWS)
    counted.set(view, {
      clients: each,
      messages: 0,
      bytes: 0,
      textBytes: 0,
      ages: [],
      changesPerClient: 0,
      isReading: false,
    })
  for (let at = 0; at < each; at++) {
    for (const view of VIEWS)
      connect(url, { view, topic: view === 'workload' ? topicOf((at % pages) + 1) : view, isReader: at < readers })
    // As people arrive: not all in the same moment.
    if (at % 5 === 4)
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
  }
  const unserved = await unservedInTime()
  process.on('message', (message) => {
    if (message === 'begin') reset()
    else if (message === 'delay') process.send?.(delayFigures())
    else if (message === 'storm') void storm().then((figures) => process.send?.(figures))
    else process.send?.(Object.fromEntries(VIEWS.map((view) => [view, figuresOf(view, readers)])))
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ unserved } satisfies Arrived)
}

/** What the clients tell when they have connected. */
export interface Arrived {
  /** Clients without any message a minute after the last one connected. */
  unserved: number
}

/** Resolves with the number of clients that had no message in time: none as soon as all had one. */
async function unservedInTime(): Promise<number> {
  const until = performance.now() + SERVED_WITHIN_MS
  for (;;) {
    const unserved = sockets.filter(({ isServed }) => !isServed).length
    if (unserved === 0 || performance.now() > until) return unserved
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}

/** All connections break at once and the clients hold no data, which is the worst case. */
export interface StormFigures {
  clients: number
  /** From the break until the last of them has its snapshot again, or until the others are given up. */
  allServedMilliseconds: number
  /** Clients without a snapshot after a minute. */
  unserved: number
}

async function storm(): Promise<StormFigures> {
  const began = performance.now()
  for (const socket of sockets) {
    socket.isServed = false
    socket.break()
  }
  const unserved = await unservedInTime()
  return { clients: sockets.length, allServedMilliseconds: Math.round(performance.now() - began), unserved }
}

function connect(url: string, { view, topic, isReader }: { view: View; topic: string; isReader: boolean }): void {
  const client: Connected = { isServed: false, break: () => undefined }
  sockets.push(client)
  if (isReader) return read(url, { view, topic, client })
  const counting = new CountingClient({
    url,
    topic,
    onFrames: (bytes) => {
      client.isServed = true
      count(view, bytes)
    },
  })
  client.break = () => counting.break()
}

function read(url: string, { view, topic, client }: { view: View; topic: string; client: Connected }): void {
  const socket: Socket<ServerToClient, ClientToServer> = io(url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    forceNew: true,
    extraHeaders: { origin: url },
  })
  client.break = () => socket.io.engine.close()
  socket.on('connect', () => socket.emit('subscribe', { topic }))
  socket.on('frames', (frames) => {
    const at = clockNow()
    client.isServed = true
    note(view, frames, at)
  })
}

function count(view: View, bytes: number): void {
  const so = counted.get(view)
  if (!so?.isReading) return
  so.messages += 1
  so.bytes += bytes
}

function note(view: View, frames: readonly FrameData[], at: number): void {
  const so = counted.get(view)
  if (!so?.isReading) return
  count(
    view,
    frames.reduce((sum, frame) => sum + frame.length, 0),
  )
  for (const frame of frames) {
    const text = readFrame(frame)
    so.textBytes += text.length
    const message = JSON.parse(text) as FrameMessage
    if (message.type !== 'delta') continue
    for (const entity of message.changed) so.ages.push(...agesIn(entity, at))
  }
}

/** The youngest stamp belongs to the change in this message; older ones were delivered before. */
function agesIn(entity: unknown, at: number): number[] {
  const stamp = youngestStamp(JSON.stringify(entity))
  return stamp === undefined ? [] : [at - stamp]
}

/** Delay until this process handles received data. */
export interface DelayFigures {
  p50: number
  p99: number
  /** Share of the time that its thread was busy. */
  busy: number
}

function delayFigures(): DelayFigures {
  const busy = Number(performance.eventLoopUtilization(idle).utilization.toFixed(2))
  const at = (percent: number): number => Math.max(0, Math.round(delay.percentile(percent) / 1e6 - SAMPLE_MS))
  return { p50: at(50), p99: at(99), busy }
}

let idle = performance.eventLoopUtilization()

function reset(): void {
  idle = performance.eventLoopUtilization()
  delay.reset()
  delay.enable()
  for (const so of counted.values())
    Object.assign(so, { messages: 0, bytes: 0, textBytes: 0, ages: [], isReading: true })
}

function figuresOf(view: View, readers: number): ViewFigures | undefined {
  const so = counted.get(view)
  if (!so) return undefined
  const { clients, messages, bytes, textBytes, ages } = so
  return {
    clients,
    messages,
    bytes,
    textBytes,
    ages: ages.toSorted((a, b) => a - b),
    changesPerClient: ages.length / readers,
  }
}

await run(JSON.parse(process.argv[2] as string) as ClientsOptions)
