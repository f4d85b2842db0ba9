/** Raw packets of engine.io on one WebSocket, below the client library, which would not send most of them. */
import { inflateSync } from 'node:zlib'
import { WebSocket } from 'undici'
import { LIVE_PATH } from '@/lib/view/live'
import type { FramesStep } from './steps'

/** How long answers are listened to after the last packet. */
const LISTEN_MS = 150
const OPEN_MS = 10_000
/** The packet by which a client enters the namespace of socket.io. */
const CONNECT = '40'

const later = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })

/** Sends the packets and returns all responses, as one text. Status 101, or 0 when the connection failed. */
export async function exchangeFrames(
  url: string,
  cookie: string,
  { packets, until }: Pick<FramesStep, 'packets' | 'until'>,
): Promise<{ status: number; body: string }> {
  const received: string[] = []
  const enough = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const socket = new WebSocket(`${url.replace('http', 'ws')}${LIVE_PATH}/?EIO=4&transport=websocket`, {
    headers: { cookie, origin: url },
  })
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }) => {
    const text = typeof data === 'string' ? data : textOf(Buffer.from(data as ArrayBuffer))
    received.push(text)
    if (until !== undefined && text.includes(until)) enough.resolve()
    if (/^4[04]/.test(text)) answered.resolve()
  })
  const opened = await settled(socket)
  if (!opened) return { status: 0, body: 'the connection was not opened' }
  for (const packet of packets) {
    if (socket.readyState !== WebSocket.OPEN) break
    socket.send(typeof packet === 'string' ? packet : Buffer.from(packet.base64, 'base64'))
    // Data before the response to the connect packet would end the connection.
    if (packet === CONNECT) await Promise.race([answered.promise, later(OPEN_MS)])
  }
  const timer = setTimeout(() => enough.resolve(), until === undefined ? LISTEN_MS : OPEN_MS)
  await enough.promise
  clearTimeout(timer)
  socket.close()
  return { status: 101, body: received.join('\n') }
}

/** Frames are compressed behind the byte 1 when that saves enough (lib/view/live). */
function textOf(data: Buffer): string {
  try {
    return data[0] === 1 ? inflateSync(data.subarray(1)).toString() : data.toString('latin1')
  } catch {
    return data.toString('latin1')
  }
}

function settled(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), OPEN_MS)
    const settle = (opened: boolean) => (): void => {
      clearTimeout(timer)
      resolve(opened)
    }
    socket.addEventListener('open', settle(true))
    socket.addEventListener('error', settle(false))
    socket.addEventListener('close', settle(false))
  })
}
