/**
 * Writes frames to a socket. Over a WebSocket they are one buffer with its framing, built once for all sockets that get
 * the same frames: per socket there is one packet of engine.io and one write to the connection, instead of one for each
 * part of the message.
 */
import type { Socket } from 'socket.io'
import type { ClientToServer, ServerToClient } from '@/lib/view/live'
import type { Frame } from './frames'

export type LiveSocket = Socket<ClientToServer, ServerToClient>

/** A packet of engine.io that is framed already. */
interface FramedPacket {
  text: string
  /** engine.io writes `wsPreEncodedFrame` as it is; socket.io's own broadcasts use it as well. */
  options: { compress: false; wsPreEncodedFrame: readonly Buffer[] }
}

/** The packets of all messages that begin with the same frames; they live as long as their frames. */
interface Beginning {
  packet?: FramedPacket
  longer: WeakMap<Frame, Beginning>
}

const NOTHING: Beginning = { longer: new WeakMap() }
/** First bytes of unfragmented WebSocket messages (RFC 6455, section 5.2). */
const TEXT = 0x81
const BINARY = 0x82

/** Sends one `frames` message of the live protocol. */
export function sendFrames(socket: LiveSocket, frames: readonly Frame[]): void {
  const { conn } = socket
  if (conn.transport.name !== 'websocket') {
    socket.emit(
      'frames',
      frames.map(({ data }) => data),
    )
    return
  }
  const { text, options } = packetOf(frames)
  conn.write(text, options)
}

function packetOf(frames: readonly Frame[]): FramedPacket {
  let at = NOTHING
  for (const frame of frames) {
    const next = at.longer.get(frame) ?? { longer: new WeakMap() }
    at.longer.set(frame, next)
    at = next
  }
  at.packet ??= framed(frames)
  return at.packet
}

/** An event of socket.io (protocol 5): its JSON with a placeholder for each binary part, then these parts. */
function framed(frames: readonly Frame[]): FramedPacket {
  const parts: Buffer[] = []
  const placed = frames.map(({ data }) =>
    typeof data === 'string' ? data : { _placeholder: true, num: parts.push(data) - 1 },
  )
  const event = JSON.stringify(['frames', placed])
  const text = parts.length === 0 ? `2${event}` : `5${parts.length}-${event}`
  const wire = [webSocketMessage(TEXT, Buffer.from(`4${text}`)), ...parts.map((part) => webSocketMessage(BINARY, part))]
  return { text, options: { compress: false, wsPreEncodedFrame: [Buffer.concat(wire.flat())] } }
}

function webSocketMessage(type: number, body: Buffer): [head: Buffer, body: Buffer] {
  const { length } = body
  if (length < 126) return [Buffer.of(type, length), body]
  if (length < 65_536) return [Buffer.of(type, 126, length >> 8, length & 0xff), body]
  const head = Buffer.of(type, 127, 0, 0, 0, 0, 0, 0, 0, 0)
  head.writeUIntBE(length, 4, 6)
  return [head, body]
}
