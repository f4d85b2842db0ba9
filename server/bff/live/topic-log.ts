/** The entities of one topic with a short history: what changed since any recent revision. */
import { countWhile } from '@/lib/std/search'
import { digestOf } from '@/lib/view/digest'
import type { Position } from '@/lib/view/live'
import type { Entity } from '@/lib/view/live-client'
import { sameStructure } from '@/lib/std/share-structure'

/** The difference between two revisions of a topic. */
export interface TopicDelta {
  from: number
  revision: number
  changed: Entity[]
  removed: string[]
}

interface Stored {
  entity: Entity
  /** Revision of its last change. */
  revision: number
}

interface RecordedRevision {
  revision: number
  id: string
}

export interface TopicLogOptions {
  epoch: string
  /** Number of remembered removals; a reader further behind gets a snapshot. Default: 1000. */
  mostRemovals?: number
}

/**
 * Each entity and each removal has the revision of its last change, so a delta from any remembered revision is one
 * message with the latest state of each changed entity, regardless of how long the reader was away. The cost depends on
 * the number of changes, not of entities. Memory: the entities, at most twice as many notes, and a limited number of
 * removals.
 */
export class TopicLog {
  readonly #epoch: string
  readonly #mostRemovals: number
  readonly #stored = new Map<string, Stored>()
  /** In order of revision. */
  readonly #removals = new Map<string, number>()
  /** Every change in order of revision; superseded notes are skipped and periodically removed. */
  #notes: RecordedRevision[] = []
  #revision = 0
  /** Deltas from revisions before this one are not available. */
  #remembersFrom = 0
  #digest: { revision: number; of: number; bytes: Uint8Array } | undefined

  constructor({ epoch, mostRemovals = 1000 }: TopicLogOptions) {
    this.#epoch = epoch
    this.#mostRemovals = mostRemovals
  }

  get position(): Position {
    return { epoch: this.#epoch, revision: this.#revision }
  }

  get size(): number {
    return this.#stored.size
  }

  /** Applies the current state of some entities; undefined: removed. Returns true when this created a new revision. */
  apply(present: ReadonlyMap<string, Entity | undefined>): boolean {
    const revision = this.#revision + 1
    let changed = false
    for (const [id, entity] of present) {
      const did = entity ? this.#store(id, entity, revision) : this.#remove(id, revision)
      if (did) this.#notes.push({ revision, id })
      changed ||= did
    }
    if (changed) this.#revision = revision
    this.#forget()
    return changed
  }

  get(id: string): Entity | undefined {
    return this.#stored.get(id)?.entity
  }

  entities(): Entity[] {
    return [...this.#stored.values()].map(({ entity }) => entity)
  }

  /** Returns the digest of the current entities; computed once for each revision. */
  digest(of: number): Uint8Array {
    if (this.#digest?.revision !== this.#revision || this.#digest.of !== of) {
      this.#digest = { revision: this.#revision, of, bytes: digestOf(this.entities(), of) }
    }
    return this.#digest.bytes
  }

  /** Reports whether `since` has a result for that position. */
  remembers(position: Position): boolean {
    const { epoch, revision } = position
    return epoch === this.#epoch && revision >= this.#remembersFrom && revision <= this.#revision
  }

  /** Returns the number of changes after a remembered revision; one entity may count several times. */
  changesSince(from: number): number {
    return this.#notes.length - this.#firstAfter(from)
  }

  /** Returns the changes after a remembered revision; undefined when there are none. */
  since(from: number): TopicDelta | undefined {
    if (from === this.#revision) return undefined
    const delta: TopicDelta = { from, revision: this.#revision, changed: [], removed: [] }
    for (let at = this.#firstAfter(from); at < this.#notes.length; at++) {
      const { id, revision } = this.#notes[at]!
      const stored = this.#stored.get(id)
      if (stored?.revision === revision) delta.changed.push(stored.entity)
      else if (this.#removals.get(id) === revision) delta.removed.push(id)
    }
    return delta
  }

  /**
   * Returns the changes that lead a reader at a remembered revision of this log to the current state of another log,
   * which shows the same topic with other rights. May list removals of entities that the reader never had.
   */
  toward(next: TopicLog, from: number): Pick<TopicDelta, 'changed' | 'removed'> {
    const missed = this.since(from)
    const isMissed = new Set(missed?.changed.map(({ id }) => id))
    const changed = next
      .entities()
      .filter((entity) => isMissed.has(entity.id) || !sameStructure(this.get(entity.id), entity))
    const removed = [...this.#stored.keys(), ...(missed?.removed ?? [])].filter((id) => next.get(id) === undefined)
    return { changed, removed }
  }

  #store(id: string, entity: Entity, revision: number): boolean {
    const old = this.#stored.get(id)
    if (old && sameStructure(old.entity, entity)) return false
    // As it came: views keep what did not change, so a copy would only be another one.
    this.#stored.set(id, { entity, revision })
    this.#removals.delete(id)
    return true
  }

  #remove(id: string, revision: number): boolean {
    if (!this.#stored.delete(id)) return false
    this.#removals.set(id, revision)
    return true
  }

  /** Returns the index of the first note after a revision. */
  #firstAfter(from: number): number {
    return countWhile(this.#notes.length, (index) => this.#notes[index]!.revision <= from)
  }

  #forget(): void {
    for (const [id, revision] of this.#removals) {
      if (this.#removals.size <= this.#mostRemovals) break
      this.#removals.delete(id)
      this.#remembersFrom = revision
    }
    if (this.#notes.length <= 64 + 2 * (this.#stored.size + this.#removals.size)) return
    this.#notes = this.#notes.filter(
      ({ id, revision }) => this.#stored.get(id)?.revision === revision || this.#removals.get(id) === revision,
    )
  }
}
