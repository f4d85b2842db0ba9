/** An in-process watch: unread lines are buffered, with the same limit as over a connection. */
import type { Sink, Stream, WatchedObject } from './call'

/** Begins a watch. It ends when the server ends it, the reader stops, or `signal` aborts; a reader that lags is cut off. */
export function openLocalWatch(
  stream: Stream,
  handOut: (value: unknown) => unknown,
  signal: AbortSignal | undefined,
): AsyncIterable<WatchedObject> {
  const reader = new LocalWatch(handOut)
  const stop = (): void => void reader.return()
  if (signal?.aborted) return reader
  signal?.addEventListener('abort', stop, { once: true })
  reader.onClose(() => signal?.removeEventListener('abort', stop))
  if (!stream.follow) throw new Error('the stream is no watch')
  stream.follow(reader)
  return reader
}

/** Begins a streamed text. It ends when the server ends it, the reader stops, or `signal` aborts. */
export async function* openLocalText(stream: Stream, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const reader = new LocalWatch((value) => value)
  const stop = (): void => void reader.return()
  signal?.addEventListener('abort', stop, { once: true })
  const write = (chunk: string | Uint8Array): void => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    reader.write([{ type: '', object: text, size: text.length }])
  }
  try {
    if (signal?.aborted) return
    stream.start({
      get pending() {
        return reader.pending
      },
      write,
      end: () => reader.end(),
      drop: () => reader.drop(),
      onClose: (callback) => reader.onClose(callback),
    })
    for await (const { object } of reader) yield object as string
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

type Ended = IteratorResult<WatchedObject, undefined>
const DONE: Ended = { done: true, value: undefined }

/** Where the server writes and, at the other end, the reader reads. One read at a time. */
class LocalWatch implements Sink<readonly WatchedObject[]>, AsyncIterableIterator<WatchedObject, undefined> {
  #unread: WatchedObject[] = []
  #read = 0
  #bytes = 0
  #waiting: PromiseWithResolvers<Ended> | undefined
  #end: 'ended' | 'cut' | undefined
  readonly #closing: (() => void)[] = []

  constructor(private readonly handOut: (value: unknown) => unknown) {}

  get pending(): number {
    return this.#bytes
  }

  write(chunk: readonly WatchedObject[]): void {
    if (this.#end) return
    for (const line of chunk) {
      this.handOut(line.object)
      this.#unread.push(line)
      this.#bytes += line.size
    }
    this.#serve()
  }

  end(): void {
    this.#close('ended')
  }

  drop(): void {
    this.#unread = []
    this.#close('cut')
  }

  onClose(callback: () => void): void {
    this.#closing.push(callback)
  }

  next(): Promise<Ended> {
    if (this.#unread.length > 0) return Promise.resolve(this.#take())
    if (this.#end === 'cut') return Promise.reject(new Error('the watch was cut off: its reader did not keep up'))
    if (this.#end) return Promise.resolve(DONE)
    this.#waiting = Promise.withResolvers<Ended>()
    return this.#waiting.promise
  }

  return(): Promise<Ended> {
    this.#unread = []
    this.#close('ended')
    return Promise.resolve(DONE)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #take(): Ended {
    const value = this.#unread[this.#read++] as WatchedObject
    this.#bytes -= value.size
    if (this.#read === this.#unread.length) {
      this.#unread = []
      this.#read = 0
    }
    return { done: false, value }
  }

  #serve(): void {
    const waiting = this.#waiting
    if (!waiting || this.#unread.length === 0) return
    this.#waiting = undefined
    waiting.resolve(this.#take())
  }

  #close(how: 'ended' | 'cut'): void {
    if (this.#end) return
    this.#end = how
    const waiting = this.#waiting
    this.#waiting = undefined
    if (how === 'cut') waiting?.reject(new Error('the watch was cut off: its reader did not keep up'))
    else waiting?.resolve(DONE)
    for (const callback of this.#closing) callback()
  }
}
