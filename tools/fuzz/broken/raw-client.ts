/** Sends raw bytes, and reads the response without trusting it. */
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  head: string
  body: Buffer
  /** A watch: its beginning is all that is read. */
  streams: boolean
}

export interface RawClient {
  /** Rejects when no complete response arrives in time. */
  send(request: Buffer): Promise<RawAnswer>
  close(): void
}

const TIMEOUT_MS = 8_000

export function createRawClient(port: number, patienceMs = TIMEOUT_MS): RawClient {
  let socket: Socket | undefined
  return {
    send: async (request) => {
      if (!socket || socket.destroyed) socket = await open(port)
      const used = socket
      const answer = await exchange(used, request, patienceMs)
      if (answer.streams || used.destroyed || /\r\nconnection: close/i.test(answer.head)) {
        used.destroy()
        socket = undefined
      }
      return answer
    },
    close: () => socket?.destroy(),
  }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

function exchange(socket: Socket, request: Buffer, patienceMs: number): Promise<RawAnswer> {
  const withoutBody = request.toString('latin1', 0, 5) === 'HEAD '
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const finish = (answer: RawAnswer | Error): void => {
      clearTimeout(timer)
      socket.removeAllListeners()
      socket.on('error', () => socket.destroy())
      if (answer instanceof Error) {
        socket.destroy()
        reject(answer)
      } else resolve(answer)
    }
    const look = (ended: boolean): void => {
      const answer = read(received, ended || withoutBody)
      if (answer) finish(answer)
      else if (ended) finish(new Error(`the connection ended after ${received.length} bytes: ${received.toString()}`))
    }
    const timer = setTimeout(() => finish(new Error('no answer in time')), patienceMs)
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      look(false)
    })
    socket.once('error', () => look(true))
    socket.once('close', () => look(true))
    socket.write(request)
  })
}

/** The response; `complete` if no more bytes follow. */
function read(bytes: Buffer, complete: boolean): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const streams = /\r\ntransfer-encoding: chunked/i.test(head)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const body = bytes.subarray(end + 4)
  if (streams || complete) return { status, head, body, streams }
  if (length === undefined || body.length < Number(length)) return undefined
  return { status, head, body, streams }
}
