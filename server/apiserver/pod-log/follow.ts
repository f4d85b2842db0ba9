/** A followed log: existing lines first, then each line when it is due, until the container ends. */
import type { Pod } from '@/lib/kube/kinds'
import { type EpochMs, isoTime, type Stop } from '@/lib/std/clock'
import type { Ask } from '../api'
import type { Sink } from '../call'
import { isOver, lastFile, linesOf, type LogLine, nextAt } from './lines'
import type { LogOptions } from './options'
import { type ContainerRun, runOf } from './run'

/** A reader with more unread bytes than this gets no further lines until it has read them. */
const UNREAD_BYTES = 1024 * 1024
const RETRY_MS = 100
const BATCH_LINES = 500

/** Puts lines as a kubelet does: with their times, up to a number of bytes. */
export class LogWriter {
  #remaining: number

  constructor(private readonly options: LogOptions) {
    this.#remaining = options.limitBytes ?? Infinity
  }

  get isFull(): boolean {
    return this.#remaining <= 0
  }

  put({ at, text }: LogLine): string {
    if (this.isFull || at < (this.options.since ?? -Infinity)) return ''
    const line = `${this.options.timestamps ? `${nanoseconds(at)} ` : ''}${text}\n`
    const size = Buffer.byteLength(line)
    const kept = size <= this.#remaining ? line : Buffer.from(line).subarray(0, this.#remaining).toString()
    this.#remaining -= size
    return kept
  }
}

/** `2006-01-02T15:04:05.000000000Z`, kubelet's format. */
const nanoseconds = (at: EpochMs): string => isoTime(at).replace('Z', '000000Z')

/** The lines that are there: all, or the last ones. */
export function presentLines(run: ContainerRun, { tailLines }: LogOptions, now: EpochMs): Iterable<LogLine> {
  return lastFile(run, run.finished ? Infinity : now, tailLines)
}

/** Writes the log until the container ends, the pod or the member goes away, or the reader leaves. */
export function followLog(ask: Ask, run: ContainerRun, options: LogOptions, sink: Sink): void {
  new Follower(ask, run, options, sink).start()
}

class Follower {
  #run: ContainerRun
  #pending: Iterator<LogLine>
  /** Lines until this moment are written or in `#pending`. */
  #until: EpochMs
  #isEnding = false
  #open = true
  #stopTimer: Stop = () => undefined
  #leave: Stop = () => undefined
  readonly #writer: LogWriter

  constructor(
    private readonly ask: Ask,
    run: ContainerRun,
    private readonly options: LogOptions,
    private readonly sink: Sink,
  ) {
    this.#run = run
    const now = ask.api.clock.now()
    this.#until = run.finished ? Infinity : now
    this.#pending = presentLines(run, options, now)[Symbol.iterator]()
    this.#writer = new LogWriter(options)
    this.#isEnding = run.finished !== undefined
  }

  start(): void {
    const { api, keyspace, resource, target } = this.ask
    const key = `${target.namespace}/${target.name}`
    this.#leave = api.hub.add(
      { keyspace: keyspace.name, resource: resource.id },
      {
        deliver: (events) => {
          for (const { type, entry } of events) {
            if (entry.location.key === key) this.#take(entry.value as unknown as Pod, type === 'delete')
          }
        },
        end: () => this.#close(),
      },
    )
    this.sink.onClose(() => this.#close())
    this.#write()
  }

  #take(pod: Pod, gone: boolean): void {
    if (pod.metadata.uid !== this.#run.uid) return
    const run = runOf(pod, this.options.container, false)
    if (run.restarts === this.#run.restarts) this.#run = run
    if (gone || run.finished || run.restarts !== this.#run.restarts) this.#isEnding = true
    this.#write()
  }

  #write(): void {
    this.#stopTimer()
    while (this.#open) {
      if (this.sink.pending > UNREAD_BYTES) return this.#again(RETRY_MS)
      const more = this.#writeBatch()
      if (this.#writer.isFull) return this.#end()
      if (more) continue
      const now = this.ask.api.clock.now()
      const from = this.#until
      // The pod was asked to terminate up to a second ago; its last lines belong to it, whatever their time.
      this.#until = this.#isEnding && isOver(this.#run) ? Infinity : now
      if (from >= this.#until) return this.#isEnding ? this.#end() : this.#again(nextAt(this.#run, now) - now)
      this.#pending = linesOf(this.#run, from, this.#until)
    }
  }

  /** False when nothing is left. */
  #writeBatch(): boolean {
    let text = ''
    for (let count = 0; count < BATCH_LINES; count += 1) {
      const { done, value } = this.#pending.next()
      if (done) {
        if (text !== '') this.sink.write(text)
        return false
      }
      text += this.#writer.put(value)
    }
    if (text !== '') this.sink.write(text)
    return true
  }

  #again(afterMs: number): void {
    this.#stopTimer = this.ask.api.clock.after(Math.max(1, afterMs), () => this.#write())
  }

  #end(): void {
    if (!this.#open) return
    this.#close()
    this.sink.end()
  }

  #close(): void {
    this.#open = false
    this.#stopTimer()
    this.#leave()
  }
}
