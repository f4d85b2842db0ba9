import { describeTaints, planPolicyTaints } from '@/lib/domain/cluster'
import { isConflict } from '@/lib/kube/errors'
import { cluster as clusterKind, type Cluster, clusterTaintPolicy as policyKind, type Taint } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import { taintFailed, taintSucceeded } from './reasons'

/** 1. Apply all policies to a copy of the taints. 2. Write once if the taints changed. */
export async function reconcile(context: ReconcilerContext, key: ObjectKey): Promise<void> {
  const cluster = context.informers.of(clusterKind).get(key)
  if (!cluster || cluster.metadata.deletionTimestamp) return
  const { taints, changed } = planPolicyTaints({
    now: context.clock.now(),
    cluster,
    policies: context.informers.of(policyKind).list(),
  })
  if (changed) await writeTaints(context, cluster, taints)
}

/** Uses the resourceVersion as a precondition, because other controllers write taints too. */
async function writeTaints({ client, events }: ReconcilerContext, cluster: Cluster, taints: Taint[]): Promise<void> {
  const { name, resourceVersion } = cluster.metadata
  const regarding = referenceTo(clusterKind, cluster)
  const state = describeTaints(taints)
  try {
    await client.patch(
      clusterKind,
      { name },
      { type: 'merge', value: { metadata: { resourceVersion }, spec: { taints } } },
    )
  } catch (error) {
    if (!isConflict(error)) events.record({ ...taintFailed(name, state, error), regarding })
    throw error
  }
  events.record({ ...taintSucceeded(name, state), regarding })
}
