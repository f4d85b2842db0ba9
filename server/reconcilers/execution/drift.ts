/** Detects changes of member objects by other clients, which must be reverted. */
import { pruneManifest } from '@/lib/domain/interpreter'
import { isManaged, ownerWorkKeyOf } from '@/lib/domain/propagation'
import type { ObjectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { MemberChange } from '../shared/member-watch'
import type { AppliedVersions } from './applied-versions'

/**
 * Returns the Work to reconcile because of a change in a member; undefined if the change is an own one or affects only
 * the status.
 */
export function driftedWork(change: MemberChange, versions: AppliedVersions): ObjectKey | undefined {
  const object = change.type === 'added' ? change.object : change.old
  if (!isManaged(object) || !isForeign(change, versions)) return undefined
  return ownerWorkKeyOf(object)
}

function isForeign(change: MemberChange, versions: AppliedVersions): boolean {
  if (change.type === 'deleted') return true
  const { cluster, kind, object } = change
  const ours = versions.of(cluster, kind, object.metadata)
  if (ours === object.metadata.resourceVersion) return false
  if (change.type === 'added') return ours !== undefined
  return !deepEqual(pruneManifest(change.old), pruneManifest(object))
}
