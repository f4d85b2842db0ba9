import { countWhile } from '@/lib/std/search'
import { RevisionCompacted } from './errors'
import type { Bucket, StoreEvent } from './store'

/** The window of recent events, oldest first. */
export class History<Event extends StoreEvent> {
  #events: Event[] = []
  /** The newest revision outside the window. */
  compacted: number

  constructor(compacted: number) {
    this.compacted = compacted
  }

  get size(): number {
    return this.#events.length
  }

  append(event: Event): void {
    this.#events.push(event)
  }

  /** Takes back the events after `revision`, newest first: they were never made durable. */
  retract(revision: number): Event[] {
    return this.#events.splice(this.#after(revision)).reverse()
  }

  /** The events of a bucket after `revision`. Throws RevisionCompacted when some are forgotten. */
  since(bucket: Bucket, revision: number): Event[] {
    if (revision < this.compacted) throw new RevisionCompacted(revision, this.compacted)
    const found: Event[] = []
    for (let index = this.#after(revision); index < this.#events.length; index++) {
      const event = this.#events[index] as Event
      if (inBucket(event, bucket)) found.push(event)
    }
    return found
  }

  /** Forgets everything up to and including `revision`; answers what left the window. */
  compact(revision: number): Event[] {
    if (revision <= this.compacted) return []
    this.compacted = revision
    return this.#events.splice(0, this.#after(revision))
  }

  /** The revision to compact to so that at most `limit` events remain. */
  excess(limit: number): number {
    return this.#events.length > limit ? (this.#events[this.#events.length - limit - 1] as Event).revision : 0
  }

  #after(revision: number): number {
    return countWhile(this.#events.length, (index) => this.#events[index]!.revision <= revision)
  }
}

function inBucket(event: StoreEvent, bucket: Bucket): boolean {
  const { keyspace, resource } = event.entry.location
  return resource === bucket.resource && keyspace === bucket.keyspace
}
