/** Limits of a client, address or user: sockets, duration of a request, concurrent requests. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as SocketServer, Socket } from 'node:net'
import { MASTERS } from '@/lib/kube/rbac/names'
import { kubeError } from '@/lib/kube/errors'
import type { Caller } from './call'

/** Milliseconds, bytes and counts; README.md has the reasons. */
export const PORT_LIMITS = {
  maxHeaderSize: 16 * 1024,
  maxHeadersCount: 200,
  /** Until the first byte, a TLS handshake, or the headers of a request are complete. */
  headersTimeout: 10_000,
  /** Until the body is complete. */
  requestTimeout: 60_000,
  /** Interval of checking the two above; a request may take that much longer. */
  connectionsCheckingInterval: 2000,
  /** Longer than the idle time of client pools, so that they do not meet a closing connection. */
  keepAliveTimeout: 180_000,
  /** An unread answer. A watch without events continues. */
  unreadTimeout: 120_000,
  connections: 10_000,
  connectionsOfAddress: 5000,
  /** Watches included. */
  requestsOfUser: 2000,
  /** Of answers that the user has not read yet; one that is longer alone is sent. */
  unreadBytesOfUser: 64 * 1024 * 1024,
}

export type PortLimits = typeof PORT_LIMITS

interface Connection {
  socket: Socket
  /** Requests that are not answered to the end yet. */
  running: number
}

/** Tracks the sockets of `front`, whose requests are handled by `servers`, and closes those beyond the limits. */
export class Connections {
  readonly #byAddress = new Map<string, Map<string, Connection>>()
  #count = 0

  constructor(
    front: SocketServer,
    servers: readonly Server[],
    private readonly limits: PortLimits,
  ) {
    front.prependListener('connection', (socket: Socket) => this.#take(socket))
    for (const server of servers) this.#follow(server)
  }

  closeAll(): void {
    for (const connections of this.#byAddress.values()) for (const { socket } of connections.values()) socket.destroy()
  }

  /** At the limit, the oldest connection of the same address without a request makes room. */
  #take(socket: Socket): void {
    const { remoteAddress: address = '', remotePort = 0 } = socket
    const known = this.#byAddress.get(address) ?? new Map<string, Connection>()
    const full = known.size >= this.limits.connectionsOfAddress || this.#count >= this.limits.connections
    if (full && !closeIdle(known)) return void socket.destroy()
    this.#byAddress.set(address, known)
    const key = keyOf(address, remotePort)
    const connection = { socket, running: 0 }
    known.set(key, connection)
    this.#count += 1
    socket.once('close', () => {
      this.#count -= 1
      if (known.get(key) === connection) known.delete(key)
      if (known.size === 0) this.#byAddress.delete(address)
    })
  }

  #follow(server: Server): void {
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = this.#find(socket)
      if (!connection) return
      connection.running += 1
      response.once('close', () => {
        connection.running -= 1
      })
    })
    server.setTimeout(this.limits.unreadTimeout)
    server.on('timeout', (socket: Socket) => {
      if (this.#find(socket)?.running && socket.writableLength === 0) socket.setTimeout(this.limits.unreadTimeout)
      else socket.destroy()
    })
  }

  /** By the peer: a request over TLS has a socket of its own. */
  #find({ remoteAddress = '', remotePort = 0 }: Socket): Connection | undefined {
    return this.#byAddress.get(remoteAddress)?.get(keyOf(remoteAddress, remotePort))
  }
}

const keyOf = (address: string, port: number): string => `${address} ${port}`

function closeIdle(connections: Map<string, Connection>): boolean {
  for (const [key, { socket, running }] of connections) {
    if (running > 0) continue
    connections.delete(key)
    socket.destroy()
    return true
  }
  return false
}

/**
 * Counts what each user has running. Throws 429 for one more than the limit; else answers what to call at the end of
 * the request, undefined for masters, which are not counted: the controllers of this process are among them.
 */
export function countRequests(limits: PortLimits): (caller: Caller) => (() => void) | undefined {
  const running = new Tally()
  return ({ user, groups }) => {
    if (groups.includes(MASTERS)) return undefined
    if (running.of(user) >= limits.requestsOfUser) throw tooMany('The user has too many requests running')
    running.add(user, 1)
    return () => running.add(user, -1)
  }
}

/**
 * Counts the bytes of answers until they are sent: unread lists are held in memory. Throws 429 if an answer exceeds the
 * limit together with earlier ones. `system:masters` are not counted.
 */
export function countUnread(
  limits: PortLimits,
): (caller: Caller, response: ServerResponse, sizeOf: () => number) => void {
  const unread = new Tally()
  return ({ user, groups }, response, sizeOf) => {
    if (groups.includes(MASTERS) || response.destroyed) return
    const bytes = sizeOf()
    const before = unread.of(user)
    if (before > 0 && before + bytes > limits.unreadBytesOfUser) throw tooMany('The user has too many answers to read')
    unread.add(user, bytes)
    response.once('close', () => unread.add(user, -bytes))
  }
}

/** Numbers by user; entries with 0 are removed. */
class Tally {
  readonly #counts = new Map<string, number>()

  of(user: string): number {
    return this.#counts.get(user) ?? 0
  }

  add(user: string, count: number): void {
    const now = this.of(user) + count
    if (now > 0) this.#counts.set(user, now)
    else this.#counts.delete(user)
  }
}

function tooMany(why: string): Error {
  return kubeError(429, 'TooManyRequests', `${why}, please try again later.`, { retryAfterSeconds: 1 })
}
