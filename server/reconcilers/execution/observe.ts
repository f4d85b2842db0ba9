/** Reads the cluster of a Work, and the member's object. */
import type { Manifest } from '@/lib/domain/interpreter'
import { isConditionTrue } from '@/lib/kube/conditions'
import { isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import type { Work } from '@/lib/kube/kinds/work'
import { clusterOfExecutionSpace } from '@/lib/kube/names'
import { keyOf, type ObjectRef, type UnknownObject } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { MemberWatch } from '../shared/member-watch'

/** Returns the cluster of a Work; undefined if it is not in an execution namespace. */
export function clusterNameOf({ metadata }: Work): string | undefined {
  return clusterOfExecutionSpace(metadata.namespace ?? '')
}

export function findCluster({ informers }: ReconcilerContext, name: string): Cluster | undefined {
  return informers.of(clusterKind).get(name)
}

/** Reports whether the cluster is Ready. */
export function isReady({ status }: Cluster): boolean {
  return isConditionTrue(status?.conditions, 'Ready')
}

/** One manifest with its member. */
export interface Destination {
  cluster: string
  kind: Kind<UnknownObject>
  ref: ObjectRef
  manifest: Manifest
}

/** Returns undefined if the member does not serve the kind of the manifest. */
export async function destinationOf(
  members: MemberWatch,
  cluster: string,
  manifest: Manifest,
): Promise<Destination | undefined> {
  const { namespace, name = '' } = manifest.metadata
  const ref = { name, ...(namespace !== undefined && { namespace }) }
  const kind = await members.kindOf(cluster, manifest)
  return kind && { cluster, kind, ref, manifest }
}

/** Returns the member's object from the cache if it has synced, otherwise from the member. */
export async function findInMember(
  context: ReconcilerContext,
  members: MemberWatch,
  destination: Destination,
): Promise<UnknownObject | undefined> {
  const informer = members.of(destination.cluster, destination.kind)
  return informer.hasSynced() ? informer.get(keyOf(destination.ref)) : readFromMember(context, destination)
}

/** Reads the member's object from the member. */
export async function readFromMember(
  { client }: ReconcilerContext,
  { cluster, kind, ref }: Destination,
): Promise<UnknownObject | undefined> {
  try {
    return await client.member(cluster).get(kind, ref)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
