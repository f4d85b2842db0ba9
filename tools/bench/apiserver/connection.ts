/**
 * A minimal HTTP client: one request at a time on each connection, parsing only status and length. It shares the
 * machine with the server, which is the subject of the measurement.
 */
import { connect, type Socket } from 'node:net'

/** The administrator of the servers that benches start. */
export const BENCH_TOKEN = 'bench'

/** Users without rights of their own; each one's token is the user's name. */
export const TENANTS = ['quiet', 'noisy'] as const

const HEAD_END = Buffer.from('\r\n\r\n')

export interface Answered {
  status: number
  body: Buffer
}

export interface Connection {
  /** Resolves with the whole answer. Rejects when the connection ends before that. */
  send(method: string, path: string, body?: string): Promise<Answered>
  close(): void
}

/** Opens a connection to a server on this machine. */
export async function openConnection(port: number, token = BENCH_TOKEN): Promise<Connection> {
  const socket = await openSocket(port)
  let received = new Received()
  let waiting: { resolve: (answered: Answered) => void; reject: (reason: unknown) => void } | undefined
  socket.on('data', (chunk: Buffer) => {
    const answered = received.add(chunk)
    if (!answered) return
    received = new Received()
    waiting?.resolve(answered)
    waiting = undefined
  })
  socket.on('error', () => undefined)
  socket.on('close', () => waiting?.reject(new ConnectionLost()))
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new ConnectionLost())
        waiting = { resolve, reject }
        socket.write(requestText({ method, path, token }, body))
      }),
    close: () => socket.destroy(),
  }
}

/** The server stopped before it answered. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

export interface WatchStream {
  close(): void
}

/** Opens a watch; `onBytes` gets what arrives as it is, framing included, and may not keep it. */
export async function openWatch(port: number, path: string, onBytes: (chunk: Buffer) => void): Promise<WatchStream> {
  const socket = await openSocket(port, onBytes)
  socket.on('error', () => undefined)
  socket.write(requestText({ method: 'GET', path, token: BENCH_TOKEN }, undefined))
  return { close: () => socket.destroy() }
}

/** Many watches share one read buffer: data is inspected before the next read. */
const shared = Buffer.alloc(256 * 1024)

function openSocket(port: number, onBytes?: (chunk: Buffer) => void): Promise<Socket> {
  const callback = (length: number): boolean => {
    onBytes?.(shared.subarray(0, length))
    return true
  }
  const onread = onBytes && { buffer: shared, callback }
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...(onread && { onread }) }, () => {
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

interface Question {
  method: string
  path: string
  token: string
}

function requestText({ method, path, token }: Question, body: string | undefined): string {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const content = body === undefined ? '' : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return (
    `${method} ${path} HTTP/1.1\r\nHost: bench\r\nUser-Agent: bench\r\nAuthorization: Bearer ${token}\r\n`
    + `Accept: application/json\r\n${content}\r\n${body ?? ''}`
  )
}

/** A pending response. Responses to benches have a length. */
class Received {
  readonly #chunks: Buffer[] = []
  #size = 0
  /** Of the whole answer, once its head is there. */
  #expected = Infinity
  #start = 0

  /** The answer, once all of it is there. */
  add(chunk: Buffer): Answered | undefined {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#expected === Infinity) this.#readHead()
    if (this.#size < this.#expected) return undefined
    const bytes = Buffer.concat(this.#chunks)
    return { status: Number(bytes.toString('latin1', 9, 12)), body: bytes.subarray(this.#start, this.#expected) }
  }

  #readHead(): void {
    const bytes = Buffer.concat(this.#chunks)
    const end = bytes.indexOf(HEAD_END)
    if (end < 0) return
    this.#start = end + HEAD_END.length
    this.#expected =
      this.#start + Number(/\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1] ?? 0)
  }
}
