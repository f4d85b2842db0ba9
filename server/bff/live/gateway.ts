/** The socket.io endpoint: admits connections and creates one session for each. */
import { type Message, message } from '@/lib/messages/message'
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { type Clock, type EpochMs, formatTime, type Stop } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { type ClientToServer, LIVE_PATH, type ServerToClient } from '@/lib/view/live'
import type { Logger } from '@/server/runtime/controller'
import type { AccessCache } from '../access/access-cache'
import type { Ended, Authenticator } from '../auth/authenticator'
import { personKey } from '../auth/principal-key'
import type { Principal } from '../auth/principal'
import { textOf } from '../http/language'
import { type Refusal, refusalOf, refuse } from '../http/refusal'
import type { Freshness } from '../cache/stale-reason'
import type { LiveMetrics } from '../metrics-hooks'
import type { SocketAdapter } from '../shared/socket-adapter'
import type { SharedStore } from '../shared/store'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { Hub } from './hub'
import { DEFAULT_GATEWAY_LIMITS, type GatewayLimits, type SessionLimits } from './limits'
import type { FlushSchedule } from './flush-schedule'
import { type SessionEnd, Session } from './session'

export interface GatewayOptions {
  cache: ControlPlaneCache
  hub: Hub
  schedule: FlushSchedule
  authenticator: Authenticator
  access: AccessCache
  clock: Clock
  log: Logger
  metrics: LiveMetrics
  /** Returns why a request may not connect; undefined when it may. */
  foreign: (request: IncomingMessage) => Message | undefined
  /** See HelloMessage. Absent without pages. */
  build?: string | undefined
  limits?: Partial<SessionLimits & GatewayLimits> | undefined
  /** The store shared by the instances; readers are notified of its outages. */
  store: Pick<SharedStore, 'state' | 'onState'>
  /** Connects socket.io of all instances; absent when an instance runs alone. */
  adapter?: SocketAdapter | undefined
}

interface SocketData {
  principal: Principal
}

type Connection = Socket<ClientToServer, ServerToClient, Record<string, never>, SocketData>
type LiveServer = Server<ClientToServer, ServerToClient, Record<string, never>, SocketData>

/** The `data` of the connection error that a refused client receives. */
export interface Denied {
  reason: string
  /** True when an automatic reconnect is useless: the user must log in. */
  final: boolean
}

/** After this time, the instance that ended a session has notified its client. */
const TOLD_BY_THEN_MS = 500
const AWAY: SessionEnd = { reason: 'shutdown', message: message('api.live.restarting'), final: false }

export class LiveGateway {
  readonly #options: GatewayOptions
  readonly #limits: GatewayLimits
  readonly #sessions = new Map<Session, Principal>()
  readonly #servers: LiveServer[] = []
  /** Number of connections of each person, by `personKey`. */
  readonly #people = new Map<string, number>()
  #subscriptions = 0
  readonly #stops: Stop[]
  #toldFreshness: Freshness | undefined
  /** Since when instances cannot reach each other, once this has lasted a while. */
  #apartSince: EpochMs | undefined
  #stopLasting: Stop = () => undefined

  constructor(options: GatewayOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_GATEWAY_LIMITS, ...options.limits }
    this.#stops = [
      options.cache.onFreshness(() => this.#notifyFreshness()),
      options.authenticator.onEnded((ended) => this.#onEnded(ended)),
      options.store.onState(() => this.#notifyStoreState()),
    ]
    this.#notifyStoreState()
    void options.cache.whenSynced().then(() => this.#catchUp())
  }

  /** Serves the live protocol on an HTTP server. Other requests and upgrades stay with their own handlers. */
  attach(httpServer: HttpServer): void {
    const server: LiveServer = new Server(httpServer, {
      path: LIVE_PATH,
      serveClient: false,
      destroyUpgrade: false,
      transports: ['websocket', 'polling'],
      maxHttpBufferSize: 64 * 1024,
      // Frames are already compressed, once for all their readers.
      perMessageDeflate: false,
      httpCompression: false,
      connectTimeout: 10_000,
      pingInterval: this.#limits.pingMs,
      pingTimeout: this.#limits.pingMs,
      ...(this.#options.adapter && { adapter: this.#options.adapter }),
      allowRequest: (request, decide) => {
        const why = this.#options.foreign(request) ?? this.#overLimit(server.engine.clientsCount)
        if (why !== undefined) this.#options.metrics.refused('handshake')
        decide(why === undefined ? null : textOf(request).of(why), why === undefined)
      },
    })
    server.use(async (socket, next) => next(await this.#whyNot(socket)))
    server.on('connection', (socket) => this.#open(socket))
    this.#servers.push(server)
  }

  /** Number of connections of the stream. */
  get sockets(): number {
    return this.#sessions.size
  }

  /** Notifies every browser to reconnect later, and ends its connection. */
  sendAway(): void {
    for (const session of this.#sessions.keys()) session.sendAway(AWAY)
  }

  /** Disconnects all clients. The HTTP server itself is not closed. */
  close(): void {
    for (const stop of this.#stops) stop()
    this.#stopLasting()
    for (const server of this.#servers) {
      server.local.disconnectSockets(true)
      server.engine.close()
    }
    for (const session of this.#sessions.keys()) session.close()
  }

  /** `shaken`: connections after the handshake but not authenticated yet; each is kept for ten seconds. */
  #overLimit(handshakes: number): Message | undefined {
    const { sockets } = this.#limits
    return this.#sessions.size < sockets && handshakes < 2 * sockets ? undefined : message('api.live.full')
  }

  /** Authenticates a connection; returns the error for the client when it is refused. */
  async #whyNot(socket: Connection): Promise<Error | undefined> {
    try {
      const principal = await this.#options.authenticator.authenticate(socket.request)
      const own = this.#people.get(personKey(principal)) ?? 0
      if (own >= this.#limits.socketsPerUser)
        return denied('TooManyConnections', textOf(socket.request)('api.live.tooManyPages', { n: own }), false)
      socket.data.principal = principal
      return undefined
    } catch (error) {
      const refusal = refusalOf(error) ?? this.#unforeseen(error)
      const { status, reason } = refusal
      this.#options.metrics.refused(status === 401 ? 'login' : 'authenticate')
      return denied(reason, refusal.problem('', textOf(socket.request)).detail, status === 401 || status === 403)
    }
  }

  #unforeseen(error: unknown): Refusal {
    this.#options.log.error({ err: error }, 'failed to authenticate a connection')
    return refuse(503, 'Unavailable', message('api.live.unidentified'))
  }

  #open(socket: Connection): void {
    const { hub, schedule, clock, cache, log, metrics, limits, access, build } = this.#options
    const { principal } = socket.data
    const session = new Session({
      socket,
      text: textOf(socket.request),
      hub,
      clock,
      limits,
      metrics,
      schedule,
      access: access.of(principal),
      isReady: () => cache.hasSynced(),
      onError: (error) => log.error({ err: error, socket: socket.id }, 'failed to encode a frame'),
      onTopics: (change) => this.#countSubscriptions(change),
      onClosed: (why) => log.warn({ socket: socket.id, user: principal.identity.user, why }, CLOSED[why]),
    })
    this.#sessions.set(session, principal)
    this.#countPerson(principal, 1)
    void socket.join([principal.key, ...(principal.session ? [principal.session.id] : [])])
    metrics.clients(this.#sessions.size)
    socket.on('disconnect', () => {
      this.#sessions.delete(session)
      this.#countPerson(principal, -1)
      metrics.clients(this.#sessions.size)
    })
    if (build !== undefined) session.sendHello({ build })
    session.sendFreshness(this.#freshness())
  }

  #countSubscriptions(change: number): void {
    this.#subscriptions += change
    this.#options.metrics.subscriptions(this.#subscriptions)
  }

  #countPerson(principal: Principal, change: number): void {
    const person = personKey(principal)
    const count = (this.#people.get(person) ?? 0) + change
    if (count > 0) this.#people.set(person, count)
    else this.#people.delete(person)
  }

  #onEnded({ sessionId, key, why: reason, message: detail }: Ended): void {
    for (const [session, principal] of this.#sessions) {
      const isMeant = sessionId === undefined ? principal.key === key : principal.session?.id === sessionId
      if (isMeant) session.sendAway({ reason, message: detail, final: reason !== 'changed' })
    }
    if (this.#options.adapter && reason !== 'changed') this.#closeEverywhere(sessionId ?? key ?? '')
  }

  /**
   * Instances notify each other of ended sessions; one that missed a notification because its Redis was unavailable is
   * notified again here.
   */
  #closeEverywhere(room: string): void {
    this.#options.clock.after(TOLD_BY_THEN_MS, () => {
      for (const server of this.#servers) server.in(room).disconnectSockets(true)
    })
  }

  #freshness(): Freshness {
    const apart = this.#apartSince
    return { ...this.#options.cache.freshness(), ...(apart !== undefined && { apart: formatTime(apart) }) }
  }

  /** Called when an outage ends and when it has lasted a while: short outages are not reported. */
  #notifyStoreState(): void {
    const { store, clock } = this.#options
    const state = store.state()
    this.#stopLasting()
    this.#apartSince = undefined
    this.#notifyFreshness()
    if (state.ok) return
    const patienceMs = this.#limits.apartAfterMs - Math.max(0, clock.now() - state.since)
    this.#stopLasting = clock.after(Math.max(0, patienceMs), () => {
      this.#apartSince = state.since
      this.#notifyFreshness()
    })
  }

  #notifyFreshness(): void {
    const freshness = this.#freshness()
    if (deepEqual(freshness, this.#toldFreshness)) return
    this.#toldFreshness = freshness
    for (const session of this.#sessions.keys()) session.sendFreshness(freshness)
  }

  #catchUp(): void {
    this.#options.hub.flush()
    for (const session of this.#sessions.keys()) session.catchUp()
  }
}

const CLOSED = {
  stalled: 'closed a live connection that reads too slowly',
  flood: 'closed a live connection that asks for too much',
  garbage: 'closed a live connection that sends malformed messages',
} as const

function denied(reason: string, message: string, final: boolean): Error {
  return Object.assign(new Error(message), { data: { reason, final } satisfies Denied })
}
