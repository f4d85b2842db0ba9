/** The entities of one topic with their history, short enough to keep: what changed since any recent revision. */
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

export interface TopicLogOptions {
  epoch: string
  /** Removals remembered; a reader further behind gets a snapshot. Default 1000. */
  mostRemovals?: number
}

/**
 * Each entity and each removal carries the revision of its last change, so a delta from any remembered revision is one
 * message with the latest state of each entity, however long the reader was away. Memory: the entities and a bounded
 * number of removals.
 */
export class TopicLog {
  readonly #epoch: string
  readonly #mostRemovals: number
  readonly #stored = new Map<string, Stored>()
  /** In order of revision. */
  readonly #removals = new Map<string, number>()
  #revision = 0
  /** Deltas from revisions before this one are no longer known. */
  #remembersFrom = 0

  constructor({ epoch, mostRemovals = 1000 }: TopicLogOptions) {
    this.#epoch = epoch
    this.#mostRemovals = mostRemovals
  }

  get position(): Position {
    return { epoch: this.#epoch, revision: this.#revision }
  }

  /** Takes the present state of some entities, undefined for gone. True when that made a new revision. */
  apply(present: ReadonlyMap<string, Entity | undefined>): boolean {
    const revision = this.#revision + 1
    let changed = false
    for (const [id, entity] of present) {
      const did = entity ? this.#store(id, entity, revision) : this.#remove(id, revision)
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

  /** True when `since` can answer for that position. */
  remembers(position: Position): boolean {
    const { epoch, revision } = position
    return epoch === this.#epoch && revision >= this.#remembersFrom && revision <= this.#revision
  }

  /** What changed after a remembered revision; undefined when nothing did. */
  since(from: number): TopicDelta | undefined {
    if (from === this.#revision) return undefined
    const changed = [...this.#stored.values()].filter(({ revision }) => revision > from).map(({ entity }) => entity)
    const removed = [...this.#removals].filter(([, revision]) => revision > from).map(([id]) => id)
    return { from, revision: this.#revision, changed, removed }
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

  #forget(): void {
    for (const [id, revision] of this.#removals) {
      if (this.#removals.size <= this.#mostRemovals) return
      this.#removals.delete(id)
      this.#remembersFrom = revision
    }
  }
}
