import { isUnreachable, KubeError } from '@/lib/kube/errors'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import { CLUSTER_FINALIZER } from '@/lib/kube/names'
import { simulatedNodes } from '@/lib/kube/simulation'
import type { EpochMs } from '@/lib/std/clock'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import { writeStatus } from './act'
import type { MemberCopies } from './member-copies'
import { type Memory, type Observation, observe, type ProbeTiming } from './observe'
import { collected, readinessOnly } from './status'

export interface Members {
  copies: MemberCopies
  memories: Map<string, Memory>
  timing: ProbeTiming
  frequencyMs: number
}

/**
 * Reconciles one cluster. A cluster in Pull mode reports itself; one without the finalizer is reconciled after the
 * cluster controller has added it.
 */
export async function reconcile(context: ReconcilerContext, name: string, members: Members): Promise<ReconcileResult> {
  const cluster = context.informers.of(clusterKind).get(name)
  if (!cluster) return forget(members, name)
  if (cluster.spec.syncMode === 'Pull' || !cluster.metadata.finalizers?.includes(CLUSTER_FINALIZER)) return
  const memory = members.memories.get(name) ?? {}
  members.memories.set(name, memory)
  const isPublished = await look(context, cluster, { ...members, memory })
  return { requeueAfterMs: isPublished ? members.frequencyMs : JOINING_MS }
}

/** Requeue delay while nodes of a simulated member join. */
const JOINING_MS = 100

/** Returns whether the status is published, or there was none to publish. */

async function look(
  context: ReconcilerContext,
  cluster: Cluster,
  members: Members & { memory: Memory },
): Promise<boolean> {
  try {
    const observation = await observe(context, cluster, members)
    const { ready, details } = observation
    const now = context.clock.now()
    if (isJoining(cluster, observation, members.memory, now)) return false
    await writeStatus(
      context,
      cluster,
      details ? collected(cluster, { ready, ...details }, now) : readinessOnly(cluster, ready, now),
    )
  } catch (error) {
    if (!isLost(error)) throw error
    // The member became unavailable after the probe; the next probe reports that.
    context.log.debug({ cluster: cluster.metadata.name, err: error }, 'member cluster stopped responding')
  }
  return true
}

/**
 * Reports whether nodes of a simulated member are still joining. Real clusters join with all their nodes. If a
 * simulated one became Ready with part of its capacity, the first workloads would be divided by that. Limited to
 * `JOINED_WITHIN_MS`.
 */
function isJoining(cluster: Cluster, { details }: Observation, memory: Memory, now: EpochMs): boolean {
  if (!details?.copy || cluster.status?.nodeSummary) return false
  memory.firstSeen ??= now
  return details.copy.nodes.length < simulatedNodes(cluster) && now < memory.firstSeen + JOINED_WITHIN_MS
}

const JOINED_WITHIN_MS = 5_000

const isLost = (error: unknown): boolean => isUnreachable(error) || (error instanceof KubeError && error.code === 503)

async function forget({ copies, memories }: Members, name: string): Promise<void> {
  memories.delete(name)
  await copies.stop(name)
}
