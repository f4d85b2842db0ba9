/** Finds the Works of a binding through an index that several controllers share. */
import { bindingIdOf, ownerBindingIdOf, ownerBindingOf } from '@/lib/domain/propagation'
import { clusterResourceBinding, resourceBinding } from '@/lib/kube/kinds'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { keyOf, type ObjectKey } from '@/lib/kube/object'
import type { Change, Informers } from '@/server/kube/informer'
import type { Binding } from '../binding-kinds'

const BINDING_INDEX = 'binding-id'

/** Indexes Works by the permanent ID of their binding. */
export function indexByBinding(informers: Informers): void {
  informers.of(workKind).addIndex(BINDING_INDEX, (work) => {
    const id = ownerBindingIdOf(work)
    return id === undefined ? [] : [id]
  })
}

/** Returns the Works of a binding; none before its admission. */
export function worksOf(informers: Informers, binding: Binding): readonly Work[] {
  const id = bindingIdOf(binding)
  return id === undefined ? [] : informers.of(workKind).byIndex(BINDING_INDEX, id)
}

/** Returns the key of the binding to which a changed Work belongs, for `WatchSpec.keys`. */
export function bindingOfWork(change: Change<Work>): ObjectKey[] {
  const owner = ownerBindingOf(change.type === 'deleted' ? change.old : change.object)
  if (!owner) return []
  return [`${(owner.namespace === undefined ? clusterResourceBinding : resourceBinding).kind}/${keyOf(owner)}`]
}
