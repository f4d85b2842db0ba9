/** Finds the members of a binding's workload affinity groups; used only with the feature gate of that name. */
import { groupsOf } from '@/lib/domain/placement'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { ObjectKey } from '@/lib/kube/object'
import { objectKey } from '@/lib/kube/object'
import type { Informer, Informers } from '@/server/kube/informer'
import type { Binding } from '../shared/binding-kinds'

const BY_GROUP = 'scheduler/group'

/**
 * Returns members from the cache, or from own writes that the cache does not contain yet. With one reconcile at a time,
 * every reconcile therefore sees all earlier results.
 */
export class GroupMembers {
  readonly #cache: Informer<Binding>
  readonly #written = new Map<ObjectKey, Binding>()

  constructor(informers: Informers) {
    this.#cache = informers.of(resourceBinding)
    this.#cache.addIndex(BY_GROUP, groupsOf)
  }

  /** Returns the bindings that share a group with this one, including itself. */
  of(binding: Binding): Binding[] {
    return groupsOf(binding).flatMap((group) =>
      this.#cache.byIndex(BY_GROUP, group).map((cached) => this.#newest(cached)),
    )
  }

  /** Remembers a written result. */
  remember(binding: Binding): void {
    for (const [key, written] of this.#written) if (!this.#isAhead(key, written)) this.#written.delete(key)
    if (groupsOf(binding).length > 0) this.#written.set(objectKey(binding), binding)
  }

  #newest(cached: Binding): Binding {
    const key = objectKey(cached)
    const written = this.#written.get(key)
    return written && this.#isAhead(key, written) ? written : cached
  }

  /** Reports whether the cache has the object with an earlier generation. */
  #isAhead(key: ObjectKey, { metadata: { uid, generation = 0 } }: Binding): boolean {
    const cached = this.#cache.get(key)?.metadata
    return cached?.uid === uid && (cached?.generation ?? 0) < generation
  }
}
