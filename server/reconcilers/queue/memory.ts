/**
 * What this process remembers between passes. Nothing depends on it but not deciding twice on the same state, so a
 * restart or another leader only begins anew.
 */
import type { OnDelete } from '@/lib/domain/queue'
import type { QueueObject } from '@/lib/kube/kinds/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { KubeObject } from '@/lib/kube/object'

interface OwnWrite<T> {
  /** The versions that were written over, one after the other. */
  over: Set<string>
  written: T
}

/**
 * Our own writes, until the copy has them. A write replaces exactly one version, so while the copy still shows that
 * one, what was written is what is there; and so on for writes that follow one another.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #writes = new Map<string, OwnWrite<T>>()

  /** `from` is the object that was written over: as it was copied, or as we had left it. */
  note(from: T, written: T): void {
    const { uid, resourceVersion } = from.metadata
    const before = this.#writes.get(uid)
    const over = before?.written.metadata.resourceVersion === resourceVersion ? before.over : new Set<string>()
    this.#writes.set(uid, { over: over.add(resourceVersion), written })
  }

  /** The object as we left it, when the last to write it were we. */
  latest(copy: T): T {
    const write = this.#writes.get(copy.metadata.uid)
    return write?.over.has(copy.metadata.resourceVersion) ? write.written : copy
  }

  /** The objects as they are after our writes; the same objects where there were none. */
  over(copies: readonly T[]): readonly T[] {
    if (this.#writes.size === 0) return copies
    const waiting = new Set(this.#writes.keys())
    const objects = copies.map((copy) => {
      waiting.delete(copy.metadata.uid)
      return this.#after(copy)
    })
    // What is not copied any more was deleted.
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

/** How often something may happen to each of many things. */
export class Spacing {
  /** In elapsed time. */
  readonly #last = new Map<string, number>()

  constructor(private readonly leastMs: number) {}

  /** How long it still has to wait; 0 when it may happen now. */
  waitMs(key: string, now: number): number {
    const last = this.#last.get(key)
    return last === undefined ? 0 : Math.max(0, last + this.leastMs - now)
  }

  happened(key: string, now: number): void {
    this.#last.set(key, now)
  }

  /** Forgets what is not among these. */
  keep(keys: ReadonlySet<string>): void {
    for (const key of this.#last.keys()) if (!keys.has(key)) this.#last.delete(key)
  }
}

/** For so long after its end, bindings may arrive that a webhook suspended for a queue it still saw. */
const LATE_MS = 60_000

/** Queues whose deletion this process finished, for as long as late bindings may arrive. Times are elapsed ones. */
export class EndedQueues {
  readonly #ended = new Map<string, { onDelete: OnDelete; at: number }>()

  note(key: string, onDelete: OnDelete, at: number): void {
    this.#ended.set(key, { onDelete, at })
  }

  /** By key. A queue that is created again under that name is another one, with its own pending workloads. */
  at(now: number): ReadonlyMap<string, OnDelete> {
    for (const [key, { at }] of this.#ended) if (at + LATE_MS <= now) this.#ended.delete(key)
    return new Map([...this.#ended].map(([key, { onDelete }]) => [key, onDelete]))
  }
}

/** What a pass is given of the passes before. */
export interface QueueMemory {
  queues: OwnWrites<QueueObject>
  bindings: OwnWrites<ResourceBinding>
  /** Writes of the status of a queue, by its key. */
  reports: Spacing
  /** No pass before this, in elapsed time. */
  nextPass: number
  ended: EndedQueues
  /** Keys of bindings whose queue is gone and that were told about. */
  orphans: Set<string>
  /** By key of a queue: what was told of workloads that it did not admit. */
  unadmitted: Map<string, string>
}

export function createQueueMemory({ reportEveryMs }: { reportEveryMs: number }): QueueMemory {
  return {
    queues: new OwnWrites(),
    bindings: new OwnWrites(),
    reports: new Spacing(reportEveryMs),
    nextPass: -Infinity,
    ended: new EndedQueues(),
    orphans: new Set(),
    unadmitted: new Map(),
  }
}
