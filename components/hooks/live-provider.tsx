'use client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { io } from 'socket.io-client'
import { LIVE_PATH, type SnapshotMessage, snapshotPath } from '@/lib/view/live'
import { LOGIN_PAGE } from '@/lib/view/login'
import { browserClock } from './browser-clock'
import { frameTopicsOf, ownTopicsOf } from './first-topics'
import { type AnyCollection, LiveConnection, type LiveSocket } from './live-connection'
import { liveKey } from './live-key'
import { readFrame } from './read-frame'
import { Later } from './later'
import { noteShown } from './settled'

type Live = ReturnType<typeof startLive>

/** The stream is asked for what is not read by then. Declared above `inBrowser`, which begins to read. */
const PRELOAD_MS = 5000

/** A server has one cache for each answer; a browser has one cache and one socket, older than what React draws. */
const inBrowser = typeof window === 'undefined' ? undefined : startInBrowser()

const LiveContext = createContext<LiveConnection | undefined>(undefined)

/** Holds the one socket and the one cache of the page. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => inBrowser?.client ?? newClient())
  const live = useSyncExternalStore<Live | undefined>(
    inBrowser?.live.subscribe ?? never,
    inBrowser?.live.get ?? nothing,
    nothing,
  )
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
 * Reads the first snapshots of the page, which its head has asked for already, and connects as soon as the socket's
 * code is loaded, all while React renders the page.
 */
function startInBrowser() {
  const client = newClient()
  const path = window.location.pathname
  const snapshots = ownTopicsOf(path).map((topic) => ({ topic, snapshot: firstSnapshot(topic) }))
  const begin = (connect: typeof io): Live => {
    const live = startLive(client, connect)
    // A topic that is given up at once is kept long enough for the page to take it over.
    for (const { topic, snapshot } of snapshots) live.connection.preload(topic, snapshot)()
    for (const topic of frameTopicsOf(path)) live.connection.watch(topic)()
    if (path !== LOGIN_PAGE) live.socket.connect()
    return live
  }
  const live = new Later(() => import('socket.io-client').then((code) => begin(code.io)), browserClock)
  live.want()
  return { client, live }
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

/** The next frame, when its work is done. */
function afterPaint(notify: () => void): void {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      notify()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}

function startLive(client: QueryClient, connect: typeof io) {
  // Polling is for proxies that let no websocket through; it is tried only because of `tryAllTransports`.
  const socket = connect({
    path: LIVE_PATH,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5000,
    autoConnect: false,
  })
  const commit = (topic: string, state: AnyCollection) => client.setQueryData(liveKey(topic), state)
  const random = () => Math.random()
  return {
    socket,
    connection: new LiveConnection({
      socket: socket as LiveSocket,
      clock: browserClock,
      random,
      readFrame,
      commit,
      afterPaint,
      onShown: () => noteShown('live'),
    }),
  }
}

/** The connection; undefined until its code is there. */
export function useLiveConnection(): LiveConnection | undefined {
  return useContext(LiveContext)
}
