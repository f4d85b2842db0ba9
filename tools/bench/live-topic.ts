/** One topic of the live protocol, read by a bench as by a browser. */
import { inflateSync } from 'node:zlib'
import { io } from 'socket.io-client'
import { type FrameData, type FrameMessage, LIVE_PATH } from '@/lib/view/live'

/** The text of a frame. */
export function readFrame(frame: FrameData): string {
  return typeof frame === 'string' ? frame : inflateSync(frame.subarray(1)).toString()
}

/** Resolves after the first snapshot with a function that stops it; calls back for each changed entity. */
export async function followTopic<T>(url: string, topic: string, onChanged: (entity: T) => void): Promise<() => void> {
  const socket = io(url, { path: LIVE_PATH, transports: ['websocket'], extraHeaders: { origin: url } })
  const first = Promise.withResolvers<void>()
  socket.on('connect_error', first.reject)
  socket.on('frames', (frames: FrameData[]) => {
    for (const frame of frames) {
      const message = JSON.parse(readFrame(frame)) as FrameMessage
      if (message.type === 'snapshot') first.resolve()
      if (message.type === 'delta') for (const entity of message.changed as T[]) onChanged(entity)
    }
  })
  socket.on('connect', () => socket.emit('subscribe', { topic }))
  await first.promise
  return () => void socket.close()
}
