/** The socket.io endpoint: who may connect, and one session for each connection. */
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { Server } from 'socket.io'
import type { Clock, Stop } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { type ClientToServer, type FreshnessMessage, LIVE_PATH, type ServerToClient } from '@/lib/view/live'
import type { Logger } from '@/server/runtime/controller'
import type { World } from '../world/world'
import type { Hub } from './hub'
import { Session, type SessionLimits } from './session'

export interface GatewayOptions {
  world: World
  hub: Hub
  clock: Clock
  log: Logger
  /** Why a request may not connect; undefined when it may. */
  refusal: (request: IncomingMessage) => string | undefined
  limits?: Partial<SessionLimits>
}

export class LiveGateway {
  readonly #options: GatewayOptions
  readonly #sessions = new Set<Session>()
  readonly #servers: Server[] = []
  readonly #stopFreshness: Stop
  #toldFreshness: FreshnessMessage | undefined

  constructor(options: GatewayOptions) {
    this.#options = options
    this.#stopFreshness = options.world.onFreshness(() => this.#tellFreshness())
    void options.world.whenSynced().then(() => this.#catchUp())
  }

  /** Serves the live protocol on an HTTP server. Leaves all other requests and upgrades to their own handlers. */
  attach(httpServer: HttpServer): void {
    const { refusal } = this.#options
    const server = new Server<ClientToServer, ServerToClient>(httpServer, {
      path: LIVE_PATH,
      serveClient: false,
      destroyUpgrade: false,
      transports: ['websocket', 'polling'],
      maxHttpBufferSize: 64 * 1024,
      allowRequest: (request, decide) => {
        const why = refusal(request)
        decide(why ?? null, why === undefined)
      },
    })
    server.on('connection', (socket) => this.#open(socket))
    this.#servers.push(server)
  }

  /** Disconnects everybody. The HTTP server itself stays as it is. */
  close(): void {
    this.#stopFreshness()
    for (const server of this.#servers) {
      server.disconnectSockets(true)
      server.engine.close()
    }
    for (const session of this.#sessions) session.close()
  }

  #open(socket: ConstructorParameters<typeof Session>[0]['socket']): void {
    const { hub, clock, world, log, limits } = this.#options
    const session = new Session({
      socket, hub, clock, limits, isReady: () => world.hasSynced(),
      onStalled: () => log.warn({ socket: socket.id }, 'closed a live connection that reads too slowly'),
    })
    this.#sessions.add(session)
    socket.on('disconnect', () => this.#sessions.delete(session))
    session.sendFreshness(world.freshness())
  }

  #tellFreshness(): void {
    const freshness = this.#options.world.freshness()
    if (deepEqual(freshness, this.#toldFreshness)) return
    this.#toldFreshness = freshness
    for (const session of this.#sessions) session.sendFreshness(freshness)
  }

  #catchUp(): void {
    for (const session of this.#sessions) session.catchUp()
  }
}
