/** What a kind demands of its objects. */
import type { UnknownObject } from '@/lib/kube/object'
import type { Scope } from '../api'
import { deepEqual } from '@/lib/std/equal'

export type Subresource = 'status'

export interface Rules {
  hasGeneration: boolean
  create(object: UnknownObject): UnknownObject
  update(next: UnknownObject, old: UnknownObject, subresource: Subresource | undefined): UnknownObject
  remove(old: UnknownObject): void
}

export function rulesOf(scope: Scope): Rules {
  const { resource } = scope
  const { kind } = resource
  const hasStatus = kind.subresources.status
  const hasGeneration = resource.custom || kind.group === 'apps' || kind.group === 'batch' || resource.id === 'pods'
  return {
    hasGeneration,
    create: (object) => {
      if (resource.id === 'namespaces') return { ...object, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }
      return object
    },
    update: (next, old, subresource) => {
      if (subresource === 'status') return { ...old, status: next.status }
      const kept: UnknownObject = hasStatus ? { ...next, status: old.status } : next
      if (!hasGeneration || deepEqual(kept.spec, old.spec)) return kept
      return { ...kept, metadata: { ...kept.metadata, generation: (old.metadata.generation ?? 0) + 1 } }
    },
    remove: () => undefined,
  }
}
