import { planReadinessTaints } from '@/lib/domain/cluster'
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import { createExecutionNamespace, releaseCluster, releaseWork, removeExecutionNamespace, writeCluster } from './act'
import { type ClusterSnapshot, observe, observeRemains } from './observe'

export interface ClusterOptions {
  /**
   * A cluster that is not Ready for this long gets a NoExecute taint, in milliseconds. Undefined, the default: never,
   * as upstream.
   */
  noExecuteAfterMs?: number
}

/** Requeue delay during a deletion, in case no change triggers a reconcile. */
const DELETION_RECHECK_MS = 10_000

export async function reconcile(
  context: ReconcilerContext,
  name: string,
  options: ClusterOptions,
): Promise<ReconcileResult> {
  const snapshot = observe(context, name)
  if (!snapshot) return
  if (snapshot.cluster.metadata.deletionTimestamp) return remove(context, snapshot)
  if (!snapshot.executionNamespace) await createExecutionNamespace(context, snapshot.cluster)
  const plan = planReadinessTaints({
    now: snapshot.now,
    taints: snapshot.cluster.spec.taints ?? [],
    ready: findCondition(snapshot.cluster.status?.conditions, 'Ready'),
    noExecuteAfterMs: options.noExecuteAfterMs,
  })
  await writeCluster(context, snapshot.cluster, plan)
  if (plan.recheckAfterMs !== undefined) return { requeueAfterMs: plan.recheckAfterMs }
}

/**
 * Deletes the Works first, then waits until no binding is scheduled to the cluster. If no controller handles a member's
 * Works any more, their finalizers are removed without cleaning up.
 */
async function remove(context: ReconcilerContext, snapshot: ClusterSnapshot): Promise<ReconcileResult> {
  const { cluster, executionNamespace } = snapshot
  const { guardedWorks, bindings } = observeRemains(context, cluster.metadata.name)
  if (isAbandoned(cluster)) for (const work of guardedWorks) await releaseWork(context, work)
  if (executionNamespace && !executionNamespace.metadata.deletionTimestamp)
    await removeExecutionNamespace(context, cluster)
  if (executionNamespace || bindings > 0) return { requeueAfterMs: DELETION_RECHECK_MS }
  await releaseCluster(context, cluster)
}

/** Reports whether the agent of a cluster in Pull mode, which handles its Works, does not respond. */
const isAbandoned = ({ spec, status }: Cluster): boolean =>
  spec.syncMode === 'Pull' && !isConditionTrue(status?.conditions, 'Ready')
