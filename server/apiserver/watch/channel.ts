/** The channel to one watcher: batches the lines of a turn, keeps the timeout, and drops a slow reader. */
import type { Clock } from '@/lib/std/clock'
import type { Sink } from '../call'

/** A reader with more unread bytes than this, beyond the initial state, is disconnected. It resumes by revision. */
const BACKLOG_LIMIT = 8 * 1024 * 1024
const BOOKMARK_EVERY_MS = 60_000

export interface Channel<Chunk> {
  /** Sends whole lines; nothing when empty. */
  send(chunk: Chunk): void
  /** Sends a bookmark now and then, and one shortly before the end. */
  keepAlive(bookmark: (() => Chunk) | undefined): void
  end(): void
  /** Stops the clocks; the stream is gone. */
  close(): void
}

export function openChannel<Chunk extends { readonly length: number }>(
  sink: Sink<Chunk>,
  options: { clock: Clock; timeoutMs: number },
): Channel<Chunk> {
  const { clock, timeoutMs } = options
  let stopTimeout = (): void => undefined
  let stopHeartbeat = (): void => undefined
  let granted: number | undefined
  let open = true
  const close = (): void => {
    open = false
    stopTimeout()
    stopHeartbeat()
  }
  const end = (): void => {
    if (!open) return
    close()
    sink.end()
  }
  const send = (chunk: Chunk): void => {
    if (!open || chunk.length === 0) return
    sink.write(chunk)
    granted ??= sink.pending
    if (sink.pending > granted + BACKLOG_LIMIT) {
      close()
      sink.drop()
    }
  }
  const keepAlive = (bookmark: (() => Chunk) | undefined): void => {
    stopTimeout = clock.after(timeoutMs, end)
    if (!bookmark) return
    const beat = (): void => {
      send(bookmark())
      stopHeartbeat = clock.after(BOOKMARK_EVERY_MS, beat)
    }
    stopHeartbeat = clock.after(Math.min(BOOKMARK_EVERY_MS, Math.max(0, timeoutMs - 1000)), beat)
  }
  return { send, keepAlive, end, close }
}
