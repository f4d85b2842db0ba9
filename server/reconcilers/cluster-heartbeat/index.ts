/** Detects when the agent of a cluster in Pull mode stops reporting. See README.md. */
import { type HeartbeatMemory, assessHeartbeat } from '@/lib/domain/cluster'
import { setCondition } from '@/lib/kube/conditions'
import { cluster as clusterKind, lease as leaseKind } from '@/lib/kube/kinds'
import { keyOf, type ObjectKey } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { type Controller, type ReconcileResult, type ReconcilerContext, watch } from '@/server/runtime/controller'

/** All durations are in milliseconds. */
export interface ClusterHeartbeatOptions {
  /** Timeout after the last heartbeat. Default 40 s. */
  graceMs?: number
  /** Timeout after the creation of a cluster. Default 60 s. */
  startupMs?: number
}

const LEASES = 'karmada-cluster'

export function clusterHeartbeatController(
  context: ReconcilerContext,
  options: ClusterHeartbeatOptions = {},
): Controller {
  const patience = { graceMs: options.graceMs ?? 40_000, startupMs: options.startupMs ?? 60_000 }
  const memories = new Map<string, HeartbeatMemory>()
  return {
    name: 'cluster-heartbeat',
    watches: [
      watch({ kind: clusterKind }),
      watch({
        kind: leaseKind,
        keys: (change) => {
          const { namespace, name } = (change.type === 'deleted' ? change.old : change.object).metadata
          return namespace === LEASES ? [name] : []
        },
      }),
    ],
    reconcile: (key) => reconcile(context, key, { memories, patience }),
  }
}

interface Watcher {
  memories: Map<string, HeartbeatMemory>
  patience: { graceMs: number; startupMs: number }
}

/** Handles Pull mode only; clusters in Push mode are probed instead. */
async function reconcile(
  { client, clock, informers }: ReconcilerContext,
  name: ObjectKey,
  { memories, patience }: Watcher,
): Promise<ReconcileResult> {
  const cluster = informers.of(clusterKind).get(name)
  if (cluster?.spec.syncMode !== 'Pull' || cluster.metadata.deletionTimestamp) return void memories.delete(name)
  const renewTime = informers.of(leaseKind).get(keyOf({ namespace: LEASES, name }))?.spec?.renewTime
  const now = clock.now()
  const { memory, lost, recheckAfterMs } = assessHeartbeat({
    now,
    cluster,
    renewTime,
    memory: memories.get(name),
    timeouts: patience,
  })
  memories.set(name, memory)
  if (lost) {
    const status = { ...cluster.status, conditions: setCondition(cluster.status?.conditions, lost, formatTime(now)) }
    await client.update(clusterKind, { ...cluster, status }, { subresource: 'status' })
  }
  if (recheckAfterMs !== undefined) return { requeueAfterMs: recheckAfterMs }
}
