/** The entities of one topic with their history, short enough to keep: what changed since any recent revision. */
import { countWhile } from '@/lib/std/search'
import { digestOf } from '@/lib/view/digest'
import type { Position } from '@/lib/view/live'
import type { Entity } from '@/lib/view/live-client'
import { shareStructure } from '@/lib/view/share-structure'

/** The difference between two revisions of a topic. */
export interface TopicDelta {
  from: number
  revision: number
  changed: Entity[]
  removed: string[]
}

interface Stored {
  entity: Entity
  /** When it changed last. */
  revision: number
}

interface Noted {
  revision: number
  id: string
}

export interface TopicLogOptions {
  epoch: string
  /** Removals remembered; a reader further behind gets a snapshot. Default 1000. */
  mostRemovals?: number
}

/**
 * Each entity and each removal carries the revision of its last change, so a delta from any remembered revision is one
 * message with the latest state of each entity, however long the reader was away. It costs what changed since then, not
 * what there is. Memory: the entities, twice their number of notes at most, and a bounded number of removals.
 */
export class TopicLog {
  readonly #epoch: string
  readonly #mostRemovals: number
  readonly #stored = new Map<string, Stored>()
  /** In order of revision. */
  readonly #removals = new Map<string, number>()
  /** Every change in order of revision; those that a later one replaced are passed over, and cleared out now and then. */
  #notes: Noted[] = []
  #revision = 0
  /** Deltas from revisions before this one are no longer known. */
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

  /** Takes the present state of some entities, undefined for gone. True when that made a new revision. */
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

  /** The digest of what is held now; counted once for each revision. */
  digest(of: number): Uint8Array {
    if (this.#digest?.revision !== this.#revision || this.#digest.of !== of) {
      this.#digest = { revision: this.#revision, of, bytes: digestOf(this.entities(), of) }
    }
    return this.#digest.bytes
  }

  /** True when `since` can answer for that position. */
  remembers(position: Position): boolean {
    const { epoch, revision } = position
    return epoch === this.#epoch && revision >= this.#remembersFrom && revision <= this.#revision
  }

  /** How many changes there were after a remembered revision, some of the same entity perhaps. */
  changesSince(from: number): number {
    return this.#notes.length - this.#firstAfter(from)
  }

  /** What changed after a remembered revision; undefined when nothing did. */
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
   * What leads a reader at a remembered revision of this log to the present of another one, which shows the same topic
   * with other rights. May name as removed what the reader never had.
   */
  toward(next: TopicLog, from: number): Pick<TopicDelta, 'changed' | 'removed'> {
    const missed = this.since(from)
    const isMissed = new Set(missed?.changed.map(({ id }) => id))
    const changed = next
      .entities()
      .filter(
        (entity) =>
          isMissed.has(entity.id) || !Object.is(shareStructure(this.get(entity.id), entity), this.get(entity.id)),
      )
    const removed = [...this.#stored.keys(), ...(missed?.removed ?? [])].filter((id) => next.get(id) === undefined)
    return { changed, removed }
  }

  #store(id: string, entity: Entity, revision: number): boolean {
    const old = this.#stored.get(id)
    const next = old ? shareStructure(old.entity, entity) : entity
    if (old && Object.is(next, old.entity)) return false
    this.#stored.set(id, { entity: next, revision })
    this.#removals.delete(id)
    return true
  }

  #remove(id: string, revision: number): boolean {
    if (!this.#stored.delete(id)) return false
    this.#removals.set(id, revision)
    return true
  }

  /** The index of the first note after a revision. */
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
