/** The outermost layer: sockets, bodies and headers. Independent of kinds. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server as SocketServer,
  type Socket,
} from 'node:net'
import { KubeError } from '@/lib/kube/errors'
import { anonymous } from './access/caller'
import { isLoopback } from './access/exposure'
import type { Credentials } from './access/identity'
import { type Answer, type Call, type Caller, type Chunk, isStream, type Reply, type Stream } from './call'
import { Connections, countRequests, countUnread, PORT_LIMITS, type PortLimits } from './connections'
import { answerMalformed } from './malformed'
import { BODY_LIMIT, bodyTooLarge, refusal } from './refusal'
import { render } from './render'
import type { KeyPair } from './tls/certificates'
import { warningHeaders } from './warnings/headers'

export interface HttpOptions {
  host: string
  port: number
  /** With a key pair the port also serves TLS, detected by the first byte. */
  tls?: KeyPair
  /** The authority (PEM) of client certificates, which are optional. */
  clientAuthority?: string | undefined
  /** Authenticates a request. Throws 401 for invalid credentials. */
  authenticate(credentials: Credentials): Caller
  /** Called for internal errors. */
  onFault(error: unknown, request: string): void
  handle: (call: Call) => Promise<Answer>
  /** Headers of every answer, errors included. */
  headersOf?: (call: Call) => Record<string, string>
  /** For tests; defaults are `PORT_LIMITS`. */
  limits?: Partial<PortLimits>
}

export interface HttpServer {
  port: number
  /** Stops listening and cuts every connection, watches included. */
  close(): Promise<void>
}

/** Listens. Rejects when the port is taken. */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const limits = { ...PORT_LIMITS, ...options.limits }
  const counting = { begin: countRequests(limits), beginAnswer: countUnread(limits) }
  const answer = (request: IncomingMessage, response: ServerResponse): void =>
    void serve({ ...options, ...counting }, request, response)
  const { maxHeadersCount, headersTimeout } = limits
  const settings = { ...limits, keepAlive: true, noDelay: true, handshakeTimeout: headersTimeout }
  const plain = createServer(settings, answer)
  const secure = options.tls && createTlsServer({ ...settings, ...options.tls, ...clientChecks(options) }, answer)
  const servers = secure ? [plain, secure] : [plain]
  for (const server of servers) {
    server.maxHeadersCount = maxHeadersCount
    answerMalformed(server)
  }
  const front = secure ? sniffing({ plain, secure, silenceMs: headersTimeout }) : plain
  const connections = new Connections(front, servers, limits)
  if (secure) for (const server of servers) beginChecks(server)
  secure?.on('secureConnection', readPausable)
  await bind(front, options)
  return { port: (front.address() as AddressInfo).port, close: () => close(front, servers, connections) }
}

/** A server checks the times of its requests from this event on, which it has no other reason to emit here. */
function beginChecks(server: Server): void {
  server.emit('listening')
}

/**
 * Allows pausing a connection. Node's HTTP parser bypasses the stream of TLS connections: if it pauses one because of
 * an unread answer, already decrypted records still arrive, and it fails with `Parse Error: Paused`. A data listener
 * makes it read through the stream, which buffers them.
 */
function readPausable(socket: Socket): void {
  socket.on('data', () => undefined)
}

/** A client certificate is optional; an unknown authority makes it worthless, but does not refuse the connection. */
function clientChecks({ clientAuthority }: HttpOptions): object {
  return clientAuthority === undefined ? {} : { requestCert: true, rejectUnauthorized: false, ca: clientAuthority }
}

function bind(server: SocketServer, { host, port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** The first byte of every TLS connection. */
const TLS_HANDSHAKE = 0x16

const INSECURE = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'

interface Sniffing {
  plain: Server
  secure: Server
  /** Limit of a connection without traffic. */
  silenceMs: number
}

/** One port for both: passes each connection to the server of its protocol. Other machines must use TLS. */
function sniffing({ plain, secure, silenceMs }: Sniffing): SocketServer {
  return createSocketServer({ noDelay: true, keepAlive: true }, (socket: Socket) => {
    socket.once('error', () => socket.destroy())
    const cut = (): void => void socket.destroy()
    socket.setTimeout(silenceMs, cut)
    socket.once('data', (chunk: Buffer) => {
      socket.setTimeout(0)
      socket.off('timeout', cut)
      socket.pause()
      socket.unshift(chunk)
      if (chunk[0] === TLS_HANDSHAKE) {
        secure.emit('connection', socket)
        return
      }
      if (!isLoopback(socket.remoteAddress ?? '')) {
        socket.end(INSECURE)
        return
      }
      plain.emit('connection', socket)
      socket.resume()
    })
  })
}

function close(front: SocketServer, servers: readonly Server[], connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    front.close(() => resolve())
    for (const server of servers) if (server !== front) server.close()
    connections.closeAll()
  })
}

interface Serving extends HttpOptions {
  begin: ReturnType<typeof countRequests>
  beginAnswer: ReturnType<typeof countUnread>
}

async function serve(options: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const warnings = new Set<string>()
  const call = readCall(request, warnings)
  const { answer, headers: common } = await attempt(options, call, { request, response })
  if (request.headers.upgrade !== undefined) await endWith(response, request)
  if (response.destroyed) return
  const headers = warnings.size > 0 ? { ...common, Warning: warningHeaders([...warnings]) } : common
  try {
    if (isStream(answer)) openStream(response, answer, headers)
    else send(response, answer, headers)
  } catch (error) {
    options.onFault(error, `${call.method} ${call.path}`)
    response.destroy()
  }
}

/**
 * Closes the connection after this response. Node's parser treats the bytes after a request with `Upgrade` as the other
 * protocol and drops them, even without an upgrade, so that a pipelined request might never be answered. Waits for the
 * end of the body, because closing the connection earlier could lose the response.
 */
function endWith(response: ServerResponse, request: IncomingMessage): Promise<void> {
  response.shouldKeepAlive = false
  return new Promise((resolve) => {
    if (request.complete || request.destroyed) resolve()
    else
      request
        .once('end', () => resolve())
        .once('close', () => resolve())
        .resume()
  })
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** All headers of an answer are given to Node at once: each that is set by itself costs as much as sending all. */
type Headers = Readonly<Record<string, string | string[]>>

const NO_HEADERS: Headers = {}

async function attempt(
  options: Serving,
  call: Call,
  { request, response }: Exchange,
): Promise<{ answer: Answer; headers: Headers }> {
  let headers = NO_HEADERS
  try {
    const caller = options.authenticate({ headers: request.headers, socket: request.socket, path: call.path })
    const known = { ...call, caller }
    const end = options.begin(caller)
    if (end) response.once('close', end)
    headers = options.headersOf?.(known) ?? NO_HEADERS
    const answer = await options.handle(known)
    if (isStream(answer)) return { answer, headers }
    const ready = await render(known, answer)
    options.beginAnswer(caller, response, () => sizeOf(ready.bytes))
    return { answer: ready, headers }
  } catch (error) {
    if (!(error instanceof KubeError) && !(error instanceof ClientGone)) {
      options.onFault(error, `${call.method} ${call.path}`)
    }
    return { answer: await render(call, refusal(error)), headers }
  }
}

function readCall(request: IncomingMessage, warnings: Set<string>): Call {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers: request.headers,
    caller: anonymous,
    distinctHeaders: () => request.headersDistinct,
    body: () => readBody(request).then((bytes) => bytes.toString('utf8')),
    bytes: () => readBody(request),
    warn: (text) => void warnings.add(text),
    readsWarnings: true,
  }
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= BODY_LIMIT) chunks.push(chunk)
    })
    request.once('end', () => {
      if (size > BODY_LIMIT) reject(bodyTooLarge())
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    })
    request.once('error', () => reject(new ClientGone()))
  })
}

/** The client disconnected before its request was complete. */
class ClientGone extends Error {}

function send(response: ServerResponse, { status, type, headers, bytes = [] }: Reply, common: Headers): void {
  response.writeHead(status, {
    ...common,
    'Content-Type': type,
    'Content-Length': sizeOf(bytes),
    'Cache-Control': 'no-cache, private',
    ...headers,
  })
  for (let index = 0; index < bytes.length - 1; index++) response.write(bytes[index])
  response.end(bytes.at(-1))
}

function sizeOf(bytes: readonly Chunk[]): number {
  return bytes.reduce((sum, chunk) => sum + (typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length), 0)
}

/** Sends the headers immediately, so that the client knows that the watch started. */
function openStream(response: ServerResponse, stream: Stream, common: Headers): void {
  const type = stream.type ?? 'application/json'
  response.writeHead(200, { ...common, 'Content-Type': type, 'Cache-Control': 'no-cache, private' })
  response.flushHeaders()
  stream.start({
    get pending() {
      return response.writableLength
    },
    write: (chunk) => void response.write(chunk),
    end: () => void response.end(),
    drop: () => void response.destroy(),
    onClose: (callback) => void response.once('close', callback),
  })
}
