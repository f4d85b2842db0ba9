/** Which changes of a member's objects were made by others and must be reverted. */
import { pruneManifest } from '@/lib/domain/interpreter'
import { isManaged, ownerWorkKeyOf } from '@/lib/domain/propagation'
import type { ObjectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { MemberChange } from '../shared/member-watch'
import type { AppliedVersions } from './applied-versions'

/** The Work to look at because of a change in a member; undefined when the change is our own or only of status. */
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
