/**
 * State between reconciles. It only prevents repeated decisions on the same state, so a restart or a change of leader
 * loses nothing.
 */
import type { OnDelete } from '@/lib/domain/queue'
import type { QueueObject } from '@/lib/kube/kinds/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { KubeObject } from '@/lib/kube/object'

interface OwnWrite<T> {
  /** The resourceVersions that were overwritten, in order. */
  over: Set<string>
  written: T
}

/**
 * Own writes that the cache does not contain yet. A write replaces exactly one version, so while the cache still has
 * that version, the written object is the current one; the same applies to subsequent writes.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #writes = new Map<string, OwnWrite<T>>()

  /** `from` is the overwritten object: from the cache, or from an own write. */
  note(from: T, written: T): void {
    const { uid, resourceVersion } = from.metadata
    const before = this.#writes.get(uid)
    const over = before?.written.metadata.resourceVersion === resourceVersion ? before.over : new Set<string>()
    this.#writes.set(uid, { over: over.add(resourceVersion), written })
  }

  /** Returns the object of the last own write if that was the last write. */
  latest(copy: T): T {
    const write = this.#writes.get(copy.metadata.uid)
    return write?.over.has(copy.metadata.resourceVersion) ? write.written : copy
  }

  /** Returns the objects after own writes; the identical objects if there were none. */
  over(copies: readonly T[]): readonly T[] {
    if (this.#writes.size === 0) return copies
    const waiting = new Set(this.#writes.keys())
    const objects = copies.map((copy) => {
      waiting.delete(copy.metadata.uid)
      return this.#after(copy)
    })
    // Objects that are no longer cached were deleted.
    for (const uid of waiting) this.#writes.delete(uid)
    return objects
  }

  #after(copy: T): T {
    const write = this.#writes.get(copy.metadata.uid)
    if (!write) return copy
    if (write.over.has(copy.metadata.resourceVersion)) return write.written
    this.#writes.delete(copy.metadata.uid)
    return copy
  }
}

/** Limits how often an action is repeated per key. */
export class Spacing {
  /** In elapsed time. */
  readonly #last = new Map<string, number>()

  constructor(private readonly leastMs: number) {}

  /** Returns the remaining wait; 0 if the action may happen now. */
  waitMs(key: string, now: number): number {
    const last = this.#last.get(key)
    return last === undefined ? 0 : Math.max(0, last + this.leastMs - now)
  }

  happened(key: string, now: number): void {
    this.#last.set(key, now)
  }

  /** Removes all other keys. */
  keep(keys: ReadonlySet<string>): void {
    for (const key of this.#last.keys()) if (!keys.has(key)) this.#last.delete(key)
  }
}

/** Over time, decisions begin this many times their duration apart. */
const SHARE = 4
/** A decision may begin this much earlier, so that a change soon after another one is not kept waiting. */
const EARLIER_MS = 250

/**
 * When the next decision may be made, in elapsed time. Decisions over many bindings must not monopolize the process: over
 * time they get a quarter of it, and begin at least an interval apart.
 */
export class Pace {
  #next = -Infinity
  /** When the next one may begin if none begins earlier. */
  #due = -Infinity

  constructor(private readonly leastMs: number) {}

  /** Returns the remaining wait; 0 if a decision may be made now. */
  waitMs(now: number): number {
    return Math.max(0, this.#next - now)
  }

  /** A decision began at `begun` and took so long. */
  happened(begun: number, tookMs: number): void {
    this.#due = Math.max(begun, this.#due) + Math.max(this.leastMs, SHARE * tookMs)
    this.#next = this.#due - EARLIER_MS
  }

  /**
   * A plan was carried out at `now`. The next decision waits for its interval from here, because readers of the writes are
   * told in between: a decision in the same turn would delay them by as long as it takes.
   */
  carriedOut(now: number): void {
    this.#next = Math.max(this.#next, now + this.leastMs)
  }
}

/** How long after the deletion of a queue bindings may arrive that a webhook still suspended for it. */
const LATE_MS = 60_000

/** Queues whose deletion this process completed, kept while late bindings may arrive. Times are elapsed. */
export class EndedQueues {
  readonly #ended = new Map<string, { onDelete: OnDelete; at: number }>()

  note(key: string, onDelete: OnDelete, at: number): void {
    this.#ended.set(key, { onDelete, at })
  }

  /**
   * Returns the queues by key. A queue created again with that name is a different one, with its own pending workloads.
   */
  at(now: number): ReadonlyMap<string, OnDelete> {
    for (const [key, { at }] of this.#ended) if (at + LATE_MS <= now) this.#ended.delete(key)
    return new Map([...this.#ended].map(([key, { onDelete }]) => [key, onDelete]))
  }
}

/** State that a reconcile inherits. */
export interface QueueMemory {
  queues: OwnWrites<QueueObject>
  bindings: OwnWrites<ResourceBinding>
  /** Status writes by key of the queue. */
  reports: Spacing
  pace: Pace
  ended: EndedQueues
  /** Keys of bindings without a queue that were already reported. */
  orphans: Set<string>
  /** By key of a queue: the last report of workloads that it did not admit. */
  unadmitted: Map<string, string>
}

export function createQueueMemory({
  reportEveryMs,
  passEveryMs,
}: {
  reportEveryMs: number
  passEveryMs: number
}): QueueMemory {
  return {
    queues: new OwnWrites(),
    bindings: new OwnWrites(),
    reports: new Spacing(reportEveryMs),
    pace: new Pace(passEveryMs),
    ended: new EndedQueues(),
    orphans: new Set(),
    unadmitted: new Map(),
  }
}
