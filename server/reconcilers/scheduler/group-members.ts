/** Who belongs to the workload affinity groups of a binding, and where those run: only for the gate of that name. */
import { groupsOf } from '@/lib/domain/placement'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { ObjectKey } from '@/lib/kube/object'
import { objectKey } from '@/lib/kube/object'
import type { Informer, Informers } from '@/server/kube/informer'
import type { Binding } from '../shared/binding-kinds'

const BY_GROUP = 'scheduler/group'

/**
 * Members as the cache holds them, or as they were just written where the cache is behind. With one pass at a time,
 * every pass knows the results of all before it.
 */
export class GroupMembers {
  readonly #cache: Informer<Binding>
  readonly #written = new Map<ObjectKey, Binding>()

  constructor(informers: Informers) {
    this.#cache = informers.of(resourceBinding)
    this.#cache.addIndex(BY_GROUP, groupsOf)
  }

  /** Bindings that share a group with this one; itself included. */
  of(binding: Binding): Binding[] {
    return groupsOf(binding).flatMap((group) =>
      this.#cache.byIndex(BY_GROUP, group).map((cached) => this.#newest(cached)),
    )
  }

  /** A result that was written. */
  remember(binding: Binding): void {
    for (const [key, written] of this.#written) if (!this.#isAhead(key, written)) this.#written.delete(key)
    if (groupsOf(binding).length > 0) this.#written.set(objectKey(binding), binding)
  }

  #newest(cached: Binding): Binding {
    const key = objectKey(cached)
    const written = this.#written.get(key)
    return written && this.#isAhead(key, written) ? written : cached
  }

  /** The cache holds the object, in an earlier version of its spec. */
  #isAhead(key: ObjectKey, { metadata: { uid, generation = 0 } }: Binding): boolean {
    const cached = this.#cache.get(key)?.metadata
    return cached?.uid === uid && (cached?.generation ?? 0) < generation
  }
}
