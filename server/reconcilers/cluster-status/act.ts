import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import { deepEqual } from '@/lib/std/equal'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { ClusterStatus } from './status'

/** Writes the status if it differs, with the resourceVersion as a precondition. */
export async function writeStatus(
  { client }: ReconcilerContext,
  cluster: Cluster,
  status: ClusterStatus,
): Promise<void> {
  if (deepEqual(cluster.status, status)) return
  await client.update(clusterKind, { ...cluster, status }, { subresource: 'status' })
}
