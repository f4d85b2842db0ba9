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
export type StatusUpdate<T> = (spread: WorkloadSpread) => { status: WorkloadSpreadStatus; changed: boolean; result: T }

/** Statistics since the start. */
export interface StatusWriterFigures {
  writes: number
  /** Writes that were repeated after a conflict. */
  conflicts: number
  updates: number
}

interface Waiting {
  update: StatusUpdate<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface PendingUpdates {
  waiting: Waiting[]
  busy: boolean
}

export interface StatusWriterOptions {
  client: KubeClient
  spreads: Informer<WorkloadSpread>
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
}

const MAX_TRIES = 4
const FIRST_PAUSE_MS = 10
const PAUSE_FACTOR = 5
const JITTER = 0.1

export class SpreadStatusWriter {
  readonly figures: StatusWriterFigures = { writes: 0, conflicts: 0, updates: 0 }
  readonly #pending = new Map<string, PendingUpdates>()
  /** Objects written last, until the cache shows them. */
  readonly #written = new Map<ObjectKey, WorkloadSpread>()

  constructor(private readonly options: StatusWriterOptions) {}

  /** Returns the newest object of that key that this process has read or written. */
  newest(key: ObjectKey): WorkloadSpread | undefined {
    const [copy, written] = [this.options.spreads.get(key), this.#written.get(key)]
    if (!copy || !written || written.metadata.uid !== copy.metadata.uid) return copy ?? written
    return revisionOf(written) > revisionOf(copy) ? written : copy
  }

  /** Applies a change; undefined if the spread was deleted. Rejects if the write fails. */
  submit<T>(spread: WorkloadSpread, update: StatusUpdate<T>): Promise<T | undefined> {
    const { uid } = spread.metadata
    const pending = this.#pending.get(uid) ?? { waiting: [], busy: false }
    this.#pending.set(uid, pending)
    const answered = new Promise<T | undefined>((resolve, reject) => {
      pending.waiting.push({ update, resolve: resolve as (result: unknown) => void, reject })
    })
    if (!pending.busy) void this.#serve(spread, pending)
    return answered
  }

  /** Drops the state of a deleted spread. */
  forget(spread: WorkloadSpread): void {
    this.#written.delete(objectKey(spread))
  }

  async #serve(spread: WorkloadSpread, pending: PendingUpdates): Promise<void> {
    pending.busy = true
    while (pending.waiting.length > 0) {
      const batch = pending.waiting.splice(0)
      try {
        await this.#settle(spread, batch)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#pending.delete(spread.metadata.uid)
    pending.busy = false
  }

  async #settle(spread: WorkloadSpread, batch: readonly Waiting[]): Promise<void> {
    const known = this.newest(objectKey(spread))
    let base = known?.metadata.uid === spread.metadata.uid ? known : spread
    for (let tries = 1; ; tries++) {
      const { entered, results } = enterAll(base, batch)
      try {
        if (entered) await this.#write(entered)
        this.figures.updates += batch.length
        for (const [index, { resolve }] of batch.entries()) resolve(results[index])
        return
      } catch (error) {
        if (isNotFound(error)) return batch.forEach(({ resolve }) => resolve(undefined))
        if (!isConflict(error) || tries === MAX_TRIES) throw error
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
  base: WorkloadSpread,
  batch: readonly Waiting[],
): { entered: WorkloadSpread | undefined; results: unknown[] } {
  let current = base
  let dirty = false
  const results = batch.map(({ update }) => {
    const { status, changed, result } = update(current)
    if (changed) current = { ...current, status }
    dirty ||= changed
    return result
  })
  return { entered: dirty ? current : undefined, results }
}

/** Revisions of one server can be compared as numbers; an unreadable one is the oldest. */
const revisionOf = ({ metadata }: WorkloadSpread): number => Number(metadata.resourceVersion) || 0
