/** Reads the input of a reconcile from the caches. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import type { ObjectKey } from '@/lib/kube/object'
import type { Informers } from '@/server/kube/informer'
import { type Binding, findBinding } from '../shared/binding-kinds'

export interface SchedulingSnapshot {
  binding: Binding
  /** The same array until a cluster changes, because derived values are cached by it. */
  clusters: readonly Cluster[]
}

/** Returns undefined if the binding does not exist. */
export function observe(informers: Informers, key: ObjectKey): SchedulingSnapshot | undefined {
  const binding = findBinding(informers, key)
  return binding && { binding, clusters: informers.of(clusterKind).list() }
}
