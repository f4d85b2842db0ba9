import { decideNoExecute, noExecuteTaints, type NoExecuteVerdict } from '@/lib/domain/eviction'
import { cluster as clusterKind } from '@/lib/kube/kinds'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, findBinding } from '../shared/binding-kinds'

/** The decision for a binding on each of its clusters that evicts workloads. */
export interface TaintSnapshot {
  binding: Binding
  verdicts: readonly { cluster: string; verdict: NoExecuteVerdict }[]
}

/** Returns undefined if the binding does not exist or is being deleted. */
export function observe(context: ReconcilerContext, key: ObjectKey): TaintSnapshot | undefined {
  const binding = findBinding(context.informers, key)
  if (!binding || binding.metadata.deletionTimestamp) return undefined
  const appliedPlacement = binding.metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION]
  const now = context.clock.now()
  const verdicts = (binding.spec.clusters ?? []).flatMap(({ name }) => {
    const taints = evictingTaints(context, name)
    return taints.length > 0 ? [{ cluster: name, verdict: decideNoExecute({ now, taints, appliedPlacement }) }] : []
  })
  return { binding, verdicts }
}

/** Returns the NoExecute taints of a cluster; none if it does not exist. */
export function evictingTaints({ informers }: ReconcilerContext, cluster: string) {
  return noExecuteTaints(informers.of(clusterKind).get(cluster)?.spec.taints)
}
