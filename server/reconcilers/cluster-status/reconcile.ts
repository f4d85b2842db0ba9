import { isUnreachable, KubeError } from '@/lib/kube/errors'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import { CLUSTER_FINALIZER } from '@/lib/kube/names'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import { writeStatus } from './act'
import type { MemberCopies } from './member-copies'
import { type Memory, observe, type Rhythm } from './observe'
import { collected, readinessOnly } from './status'

export interface Members {
  copies: MemberCopies
  memories: Map<string, Memory>
  rhythm: Rhythm
  frequencyMs: number
}

/**
 * One look at one cluster. A cluster in Pull mode reports itself; one without the finalizer is looked at when the
 * cluster loop has put it there.
 */
export async function reconcile(context: ReconcilerContext, name: string, members: Members): Promise<ReconcileResult> {
  const cluster = context.informers.of(clusterKind).get(name)
  if (!cluster) return forget(members, name)
  if (cluster.spec.syncMode === 'Pull' || !cluster.metadata.finalizers?.includes(CLUSTER_FINALIZER)) return
  const memory = members.memories.get(name) ?? {}
  members.memories.set(name, memory)
  await look(context, cluster, { ...members, memory })
  return { requeueAfterMs: members.frequencyMs }
}

async function look(
  context: ReconcilerContext,
  cluster: Cluster,
  members: Members & { memory: Memory },
): Promise<void> {
  try {
    const { ready, details } = await observe(context, cluster, members)
    const now = context.clock.now()
    await writeStatus(
      context,
      cluster,
      details ? collected(cluster, { ready, ...details }, now) : readinessOnly(cluster, ready, now),
    )
  } catch (error) {
    if (!isLost(error)) throw error
    // The member went away between the probe and the collection: the next probe will say so.
    context.log.debug({ cluster: cluster.metadata.name, err: error }, 'the member stopped answering')
  }
}

const isLost = (error: unknown): boolean => isUnreachable(error) || (error instanceof KubeError && error.code === 503)

async function forget({ copies, memories }: Members, name: string): Promise<void> {
  memories.delete(name)
  await copies.stop(name)
}
