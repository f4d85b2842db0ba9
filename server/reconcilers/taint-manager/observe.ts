import { decideNoExecute, noExecuteTaints, type NoExecuteVerdict } from '@/lib/domain/eviction'
import { cluster as clusterKind } from '@/lib/kube/kinds'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, findBinding } from '../shared/binding-kinds'

/** What must happen to a binding on each of its clusters that drives workloads out. */
export interface TaintSnapshot {
  binding: Binding
  verdicts: readonly { cluster: string; verdict: NoExecuteVerdict }[]
}

/** Undefined when the binding is gone or going. */
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

/** The NoExecute taints of a cluster; none when there is no such cluster. */
export function evictingTaints({ informers }: ReconcilerContext, cluster: string) {
  return noExecuteTaints(informers.of(clusterKind).get(cluster)?.spec.taints)
}
