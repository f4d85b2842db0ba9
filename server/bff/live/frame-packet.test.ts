/** What a client of socket.io gets of frames that are framed once for all sockets. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FrameData } from '@/lib/view/live'
import { eventually } from '../testing/start-bff'
import { type LiveSocket, sendFrames } from './frame-packet'
import type { Frame } from './frames'

const http = createServer()
const server = new Server(http, { perMessageDeflate: false, httpCompression: false, maxHttpBufferSize: 1e7 })
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const frameOf = (data: string | Buffer): Frame => ({ type: 'delta', data, textBytes: data.length })

/** Connects one client over that transport; returns both ends. */
async function connect(transport: 'websocket' | 'polling') {
  const accepted = new Promise<LiveSocket>((resolve) =>
    server.once('connection', (socket) => resolve(socket as LiveSocket)),
  )
  const client = io(url, { transports: [transport], forceNew: true, reconnection: false })
  const received: FrameData[][] = []
  client.on('frames', (frames: FrameData[]) => received.push(frames))
  return { socket: await accepted, client, received }
}

const plain = (frames: readonly FrameData[]): (string | number[])[] =>
  frames.map((frame) => (typeof frame === 'string' ? frame : [...new Uint8Array(frame)]))

/** Sizes around those at which the head of a WebSocket message changes. */
const size = fc.oneof(fc.nat(300), fc.constantFrom(125, 126, 127, 65_535, 65_536, 70_000))
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  size.map((length) => 'x'.repeat(length)),
)
const binary = size.map((length) => Buffer.alloc(length, length % 251))
const messages = fc.array(fc.array(fc.oneof(text, binary), { minLength: 1, maxLength: 10 }), {
  minLength: 1,
  maxLength: 4,
})

describe.each(['websocket', 'polling'] as const)('over %s', (transport) => {
  test('a client of socket.io gets each message as it would get it from socket.io', async () => {
    const { socket, client, received } = await connect(transport)
    await fc.assert(
      fc.asyncProperty(messages, async (sent) => {
        received.length = 0
        for (const frames of sent) sendFrames(socket, frames.map(frameOf))
        socket.emit('goodbye', { reason: '', message: '', final: false })
        await eventually(() => expect(received.length).toBe(sent.length))
        expect(received.map(plain)).toEqual(sent.map(plain))
      }),
      { seed: 1121, numRuns: 30 },
    )
    client.disconnect()
  })
})

test('sockets that get the same frames share their bytes, and others get their own', () => {
  const written: unknown[] = []
  const socket = {
    conn: {
      transport: { name: 'websocket' },
      write: (_: string, { wsPreEncodedFrame: [bytes] }: Wire) => written.push(bytes),
    },
  } as unknown as LiveSocket
  const [one, other] = [frameOf('one'), frameOf(Buffer.of(1, 2, 3))]
  for (const frames of [[one], [one], [one, other], [one, other], [other], [frameOf('one')]]) sendFrames(socket, frames)
  expect(written[1]).toBe(written[0])
  expect(written[3]).toBe(written[2])
  expect(new Set(written).size).toBe(4)
})

interface Wire {
  wsPreEncodedFrame: [Buffer]
}
