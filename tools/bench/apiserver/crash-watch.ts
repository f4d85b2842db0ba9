/** A watch that resumes after every crash where it stopped, and checks the order of its events. */
import { get, type IncomingMessage } from 'node:http'
import { BENCH_TOKEN } from './connection'
import { CRASH_PATH } from './crash-path'
import { pause } from './figures'

interface WatchEvent {
  type: string
  object: { metadata: { name: string; resourceVersion: string }; data?: { number?: string }; message?: string }
}

export class CrashWatch {
  events = 0
  #revision = 0
  #seen = new Set<number>()
  /** The last number of each object, deleted or not. */
  readonly #numbers = new Map<string, number>()
  readonly #present = new Set<string>()
  #ended: Promise<void> = Promise.resolve()
  #fault: Error | undefined

  /** Continues after the last event; the first time after `revision`. */
  resume(port: number, revision: number): void {
    this.#revision ||= revision
    this.#ended = new Promise((resolve) => {
      const headers = { Authorization: `Bearer ${BENCH_TOKEN}` }
      const path = `${CRASH_PATH}?watch=1&resourceVersion=${this.#revision}`
      const request = get({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => this.#read(response))
      request.on('error', () => undefined)
      request.on('close', resolve)
    })
  }

  /** Resolves once the server has cut the stream. */
  ended(): Promise<void> {
    return this.#ended
  }

  /** Waits for the events up to `revision`. Rejects if one of `changes` was missing or repeated. */
  async check(changes: ReadonlySet<number>, revision: number, patienceMs: number): Promise<void> {
    const start = performance.now()
    const missing = (): number[] => [...changes].filter((change) => !this.#seen.has(change))
    while (!this.#fault && missing().length > 0) {
      if (performance.now() - start > patienceMs) {
        throw new Error(`a gap: the changes ${missing().join(', ')} up to ${revision} were not told`)
      }
      await pause(2)
    }
    if (this.#fault) throw this.#fault
    this.#seen = new Set()
  }

  /** An incomplete line was not delivered. */
  #read(response: IncomingMessage): void {
    let pending = ''
    response.setEncoding('utf8')
    response.on('error', () => undefined)
    response.on('data', (chunk: string) => {
      const lines = (pending + chunk).split('\n')
      pending = lines.pop() ?? ''
      for (const line of lines) this.#note(JSON.parse(line) as WatchEvent)
    })
  }

  #note({ type, object }: WatchEvent): void {
    const { name, resourceVersion } = object.metadata
    const revision = Number(resourceVersion)
    if (type === 'ERROR') this.#fail(`the watch could not resume: ${object.message}`)
    else if (revision <= this.#revision) this.#fail(`a repetition: ${revision} was told after ${this.#revision}`)
    else this.#follow(type, name, Number(object.data?.number))
    this.#revision = revision
    this.#seen.add(revision)
    this.events++
  }

  /** Each object counts its own writes, so that a gap shows even in writes that were not acknowledged. */
  #follow(type: string, name: string, number: number): void {
    const before = this.#numbers.get(name) ?? 0
    const expected = type === 'DELETED' ? before : before + 1
    if (number !== expected || this.#present.has(name) !== (type !== 'ADDED')) {
      this.#fail(
        `a gap: ${name} was ${this.#present.has(name) ? 'there' : 'gone'} at ${before}, then ${type} at ${number}`,
      )
    }
    this.#numbers.set(name, number)
    if (type === 'DELETED') this.#present.delete(name)
    else this.#present.add(name)
  }

  #fail(why: string): void {
    this.#fault ??= new Error(why)
  }
}
