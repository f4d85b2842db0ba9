/** One topic of the live protocol, read by a bench as by a browser. */
import { inflateSync } from 'node:zlib'
import { io } from 'socket.io-client'
import { type FrameData, type FrameMessage, LIVE_PATH } from '@/lib/view/live'

export class TopicRefused extends Error {}

/** The text of a frame. */
export function readFrame(frame: FrameData): string {
  return typeof frame === 'string' ? frame : inflateSync(frame.subarray(1)).toString()
}

/**
 * Resolves after the first snapshot with a function that stops it; calls back for each changed entity, and with the size
 * of each frame in bytes. Rejects if the topic is refused, as that of a kind which the control plane does not serve.
 */
export async function followTopic<T>(
  url: string,
  topic: string,
  onChanged: (entity: T) => void,
  onFrame: (bytes: number) => void = () => undefined,
): Promise<() => void> {
  const socket = io(url, { path: LIVE_PATH, transports: ['websocket'], extraHeaders: { origin: url } })
  const first = Promise.withResolvers<void>()
  socket.on('frames', (frames: FrameData[]) => {
    for (const frame of frames) {
      onFrame(frame.length)
      const message = JSON.parse(readFrame(frame)) as FrameMessage
      if (message.type === 'snapshot') first.resolve()
      if (message.type === 'delta') for (const entity of message.changed as T[]) onChanged(entity)
    }
  })
  socket.on('refused', (refusal: { message: string }) => first.reject(new TopicRefused(`${topic}: ${refusal.message}`)))
  socket.on('connect', () => socket.emit('subscribe', { topic }))
  socket.on('connect_error', first.reject)
  await first.promise.catch((error: unknown) => {
    socket.close()
    throw error
  })
  return () => void socket.close()
}
