/** Determines which workloads a spread may target, and whether a pod belongs to one. */
import type { WorkloadSpreadSpec } from '../../kube/kinds'
import type { KubeObject, OwnerReference } from '../../kube/object'
import {
  type CustomWorkload,
  groupOf,
  groupsOfWorkload,
  isSameWorkload,
  type WorkloadReference,
} from '../../kube/workload-target'
import { err, ok, type Result } from '../../std/result'

/** Reports whether pods of such an owner may be spread. */
export function isSupportedOwner(
  { apiVersion, kind }: Pick<WorkloadReference, 'apiVersion' | 'kind'>,
  custom: readonly CustomWorkload[] = [],
): boolean {
  const group = groupOf(apiVersion)
  if (!group.ok) return false
  if (groupsOfWorkload(kind)?.includes(group.value)) return true
  const known = custom.flatMap((workload) => [workload, ...(workload.subResources ?? [])])
  return known.some((one) => one.group === group.value && one.kind === kind)
}

/** Finds an owner in the namespace of the pod; undefined if it does not exist. */
export type FindOwner = (owner: WorkloadReference) => Pick<KubeObject, 'metadata'> | undefined

/**
 * Reports whether the target owns the pod, directly or through other supported owners. A missing owner is an error,
 * because the cache may be outdated; the pod's creator retries.
 */
export function isOwnedByTarget(
  target: WorkloadSpreadSpec['targetRef'],
  owner: WorkloadReference,
  { find, custom }: { find: FindOwner; custom?: readonly CustomWorkload[] },
): Result<boolean> {
  const group = groupOf(target.apiVersion)
  if (!group.ok) return group
  let current: WorkloadReference | undefined = owner
  const seen = new Set<string>()
  while (current && isSupportedOwner(current, custom)) {
    if (isSameWorkload(target, current)) return ok(true)
    const key: string = `${current.apiVersion} ${current.kind} ${current.name}`
    if (seen.has(key)) return ok(false)
    seen.add(key)
    const found = find(current)
    if (!found) return err(`${pluralOf(current)} ${JSON.stringify(current.name)} not found`)
    current = controllerOf(found)
  }
  return ok(false)
}

/** Returns the controlling owner of an object. */
export function controllerOf({ metadata }: Pick<KubeObject, 'metadata'>): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)
}

function pluralOf({ apiVersion, kind }: WorkloadReference): string {
  const group = groupOf(apiVersion)
  return `${kind.toLowerCase()}s${group.ok && group.value ? `.${group.value}` : ''}`
}
