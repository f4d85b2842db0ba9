'use client'
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { io } from 'socket.io-client'
import { LIVE_PATH, type SnapshotMessage, snapshotPath } from '@/lib/view/live'
import { LOGIN_PAGE } from '@/lib/view/login'
import { afterPaint } from './after-paint'
import { browserClock } from './browser-clock'
import { frameTopicsOf, ownTopicsOf } from './first-topics'
import { type AnyCollection, LiveConnection, type LiveSocket } from './live-connection'
import { liveKey } from './live-key'
import { LateSocket } from './late-socket'
import { noteServedBuild } from './page-build'
import { readFrame } from './read-frame'
import { firstPicture, noteShown } from './settled'

/** An instance that goes away in the middle of a handshake may leave it without an answer; by default 20 s pass then. */
const HANDSHAKE_MS = 8000
/** The stream is asked for what is not read by then. Declared above `inBrowser`, which begins to read. */
const PRELOAD_MS = 5000

/** A server has one cache for each answer; a browser has one cache and one socket, older than what React draws. */
const inBrowser = typeof window === 'undefined' ? undefined : startInBrowser()

const LiveContext = createContext<LiveConnection | undefined>(undefined)

/** Holds the one socket and the one cache of the page. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => inBrowser?.client ?? newClient())
  // The server has none, and the first render in the browser is that of the server.
  const live = useSyncExternalStore(never, () => inBrowser?.live, nothing)
  // The login page has no session to connect with.
  const away = usePathname() === LOGIN_PAGE
  useEffect(() => {
    if (live === undefined || away) return
    const look = () => live.connection.setHidden(document.hidden)
    document.addEventListener('visibilitychange', look)
    look()
    live.socket.connect()
    return () => {
      document.removeEventListener('visibilitychange', look)
      live.socket.disconnect()
    }
  }, [away, live])
  return (
    <QueryClientProvider client={client}>
      <LiveContext value={live?.connection}>{children}</LiveContext>
    </QueryClientProvider>
  )
}

const nothing = () => undefined
const never = () => nothing

function newClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { refetchOnWindowFocus: false, retry: 1 } } })
}

/**
 * Reads the first snapshots of the page, which its head has asked for already, while React renders the page. The
 * socket comes after this first picture, since its code and the picture would compete; where there is none, at once.
 */
function startInBrowser() {
  const client = newClient()
  const path = window.location.pathname
  const snapshots = ownTopicsOf(path).map((topic) => ({ topic, snapshot: firstSnapshot(topic) }))
  const live = startLive(client, () => pictureOf(snapshots.map(({ snapshot }) => snapshot)))
  // A topic that is given up at once is kept long enough for the page to take it over.
  for (const { topic, snapshot } of snapshots) live.connection.preload(topic, snapshot)()
  for (const topic of frameTopicsOf(path)) live.connection.watch(topic)()
  if (path !== LOGIN_PAGE) live.socket.connect()
  return { client, live }
}

/** Resolves when the page has drawn its first snapshots, or has nothing to draw without the stream. */
async function pictureOf(snapshots: readonly Promise<SnapshotMessage | undefined>[]): Promise<void> {
  const read = await Promise.all(snapshots)
  if (read.length > 0 && !read.includes(undefined)) await firstPicture()
}

/** Never rejects: the stream, which is asked instead, tells what is wrong. */
function firstSnapshot(topic: string): Promise<SnapshotMessage | undefined> {
  return fetchSnapshot(topic).catch(() => undefined)
}

/** A snapshot of the topic; undefined where there is none beside the stream. */
async function fetchSnapshot(topic: string): Promise<SnapshotMessage | undefined> {
  // As the preload of the page's head has it: with other options it would be another request.
  const response = await fetch(snapshotPath(topic), { signal: AbortSignal.timeout(PRELOAD_MS) })
  return response.status === 200 ? ((await response.json()) as SnapshotMessage) : undefined
}

function startLive(client: QueryClient, before: () => Promise<void>) {
  const socket = new LateSocket(async () => {
    await before()
    return openSocket((await import('socket.io-client')).io)
  }, browserClock)
  const commit = (states: ReadonlyMap<string, AnyCollection>): void =>
    notifyManager.batch(() => {
      for (const [topic, state] of states) client.setQueryData(liveKey(topic), state)
    })
  const random = () => Math.random()
  const onShown = () => noteShown('live')
  const connection = new LiveConnection({
    socket,
    clock: browserClock,
    random,
    readFrame,
    commit,
    onHello: noteServedBuild,
    afterPaint,
    onShown,
  })
  return { socket, connection }
}

/** Polling is for proxies that let no websocket through; it is tried only because of `tryAllTransports`. */
function openSocket(connect: typeof io): LiveSocket {
  return connect({
    path: LIVE_PATH,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    timeout: HANDSHAKE_MS,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5000,
    autoConnect: false,
  }) as LiveSocket
}

/** The connection; undefined on the server and in the first render. */
export function useLiveConnection(): LiveConnection | undefined {
  return useContext(LiveContext)
}
