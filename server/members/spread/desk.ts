/**
 * Serialises the status writes of each WorkloadSpread, each starting from the object written last. Pending entries are
 * written together, so that a burst of pods costs few writes.
 */
import { isConflict, isNotFound } from '@/lib/kube/errors'
import { workloadSpread as spreadKind, type WorkloadSpread, type WorkloadSpreadStatus } from '@/lib/kube/kinds'
import { type ObjectKey, objectKey } from '@/lib/kube/object'
import type { Clock } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import type { Informer } from '@/server/kube/informer'

/** A change of the status, computed from the newest object; computed again after a conflict. */
export type Posting<T> = (spread: WorkloadSpread) => { status: WorkloadSpreadStatus; changed: boolean; result: T }

/** What happened so far. */
export interface DeskFigures {
  writes: number
  /** Writes that were repeated after a conflict. */
  conflicts: number
  postings: number
}

interface Waiting {
  posting: Posting<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Counter {
  waiting: Waiting[]
  busy: boolean
}

export interface DeskOptions {
  client: KubeClient
  spreads: Informer<WorkloadSpread>
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
}

const MOST_TRIES = 4
const FIRST_PAUSE_MS = 10
const PAUSE_FACTOR = 5
const JITTER = 0.1

export class SpreadDesk {
  readonly figures: DeskFigures = { writes: 0, conflicts: 0, postings: 0 }
  readonly #counters = new Map<string, Counter>()
  /** Objects written last, until the cache shows them. */
  readonly #written = new Map<ObjectKey, WorkloadSpread>()

  constructor(private readonly options: DeskOptions) {}

  /** The newest object of that key that this process knows. */
  newest(key: ObjectKey): WorkloadSpread | undefined {
    const [copy, written] = [this.options.spreads.get(key), this.#written.get(key)]
    if (!copy || !written || written.metadata.uid !== copy.metadata.uid) return copy ?? written
    return revisionOf(written) > revisionOf(copy) ? written : copy
  }

  /** Applies a change; undefined if the spread was deleted. Rejects if the write fails. */
  post<T>(spread: WorkloadSpread, posting: Posting<T>): Promise<T | undefined> {
    const { uid } = spread.metadata
    const counter = this.#counters.get(uid) ?? { waiting: [], busy: false }
    this.#counters.set(uid, counter)
    const answered = new Promise<T | undefined>((resolve, reject) => {
      counter.waiting.push({ posting, resolve: resolve as (result: unknown) => void, reject })
    })
    if (!counter.busy) void this.#serve(spread, counter)
    return answered
  }

  /** The spread is gone. */
  forget(spread: WorkloadSpread): void {
    this.#written.delete(objectKey(spread))
  }

  async #serve(spread: WorkloadSpread, counter: Counter): Promise<void> {
    counter.busy = true
    while (counter.waiting.length > 0) {
      const batch = counter.waiting.splice(0)
      try {
        await this.#settle(spread, batch)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#counters.delete(spread.metadata.uid)
    counter.busy = false
  }

  async #settle(spread: WorkloadSpread, batch: readonly Waiting[]): Promise<void> {
    const known = this.newest(objectKey(spread))
    let base = known?.metadata.uid === spread.metadata.uid ? known : spread
    for (let tries = 1; ; tries++) {
      const { entered, results } = enterAll(base, batch)
      try {
        if (entered) await this.#write(entered)
        this.figures.postings += batch.length
        for (const [index, { resolve }] of batch.entries()) resolve(results[index])
        return
      } catch (error) {
        if (isNotFound(error)) return batch.forEach(({ resolve }) => resolve(undefined))
        if (!isConflict(error) || tries === MOST_TRIES) throw error
        this.figures.conflicts += 1
        await this.#pause(tries)
        const current = await this.#read(spread)
        if (!current) return batch.forEach(({ resolve }) => resolve(undefined))
        base = current
      }
    }
  }

  async #write(spread: WorkloadSpread): Promise<void> {
    this.figures.writes += 1
    const written = await this.options.client.update(spreadKind, spread, { subresource: 'status' })
    this.#written.set(objectKey(written), written)
  }

  /** After a conflict the object is read from the API. */
  async #read({ metadata: { namespace, name, uid } }: WorkloadSpread): Promise<WorkloadSpread | undefined> {
    try {
      const current = await this.options.client.get(spreadKind, { ...(namespace !== undefined && { namespace }), name })
      return current.metadata.uid === uid ? current : undefined
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  #pause(tries: number): Promise<void> {
    const { clock, random } = this.options
    const delayMs = FIRST_PAUSE_MS * PAUSE_FACTOR ** (tries - 1) * (1 + JITTER * random())
    return new Promise((resolve) => {
      clock.after(delayMs, resolve)
    })
  }
}

/** Each change sees the previous ones. `entered` is undefined if nothing has to be written. */
function enterAll(
  base: WorkloadSpread, batch: readonly Waiting[],
): { entered: WorkloadSpread | undefined; results: unknown[] } {
  let current = base
  let dirty = false
  const results = batch.map(({ posting }) => {
    const { status, changed, result } = posting(current)
    if (changed) current = { ...current, status }
    dirty ||= changed
    return result
  })
  return { entered: dirty ? current : undefined, results }
}

/** Revisions of one server can be compared as numbers; an unreadable one is the oldest. */
const revisionOf = ({ metadata }: WorkloadSpread): number => Number(metadata.resourceVersion) || 0
