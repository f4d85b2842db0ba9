/** Which workloads a spread may mean, and whether a pod belongs to one. */
import type { WorkloadSpreadSpec } from '../../kube/kinds'
import type { KubeObject, OwnerReference } from '../../kube/object'
import { err, ok, type Result } from '../../std/result'

/** A kind of workload beyond the known ones, as OpenKruise's configuration lists them. */
export interface CustomWorkload {
  group: string
  kind: string
  /** Kinds of objects between such a workload and its pods. */
  subResources?: readonly { group: string; kind: string }[]
}

/** What a reference says about a workload; its version does not matter. */
export interface WorkloadReference {
  apiVersion: string
  kind: string
  name: string
}

const SUPPORTED: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['apps'],
  ReplicaSet: ['apps'],
  StatefulSet: ['apps', 'apps.kruise.io'],
  CloneSet: ['apps.kruise.io'],
  Job: ['batch'],
}

/** The group of an apiVersion; an error when it is none. */
export function groupOf(apiVersion: string): Result<string> {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return err(`unexpected GroupVersion string: ${apiVersion}`)
  return ok(parts.length === 2 ? parts[0]! : '')
}

/** The groups in which a known kind of workload may live; undefined for every other kind. */
export function groupsOfWorkload(kind: string): readonly string[] | undefined {
  return Object.hasOwn(SUPPORTED, kind) ? SUPPORTED[kind] : undefined
}

/** True when pods of such an owner may be spread. */
export function isSupportedOwner({ apiVersion, kind }: Pick<WorkloadReference, 'apiVersion' | 'kind'>, custom: readonly CustomWorkload[] = []): boolean {
  const group = groupOf(apiVersion)
  if (!group.ok) return false
  if (groupsOfWorkload(kind)?.includes(group.value)) return true
  const known = custom.flatMap((workload) => [workload, ...(workload.subResources ?? [])])
  return known.some((one) => one.group === group.value && one.kind === kind)
}

/** The same workload: group, kind and name. */
export function isSameWorkload(a: WorkloadReference, b: WorkloadReference): boolean {
  const [left, right] = [groupOf(a.apiVersion), groupOf(b.apiVersion)]
  return left.ok && right.ok && left.value === right.value && a.kind === b.kind && a.name === b.name
}

/** Finds an owner in the namespace of the pod; undefined when it is not there. */
export type FindOwner = (owner: WorkloadReference) => Pick<KubeObject, 'metadata'> | undefined

/**
 * Whether the target owns the pod, directly or through other supported owners. An owner that cannot be found is an
 * error: whoever made the pod will know better in a moment and try again.
 */
export function isOwnedByTarget(
  target: WorkloadSpreadSpec['targetRef'], owner: WorkloadReference, { find, custom }: { find: FindOwner; custom?: readonly CustomWorkload[] },
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

/** The owner that manages an object. */
export function controllerOf({ metadata }: Pick<KubeObject, 'metadata'>): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)
}

function pluralOf({ apiVersion, kind }: WorkloadReference): string {
  const group = groupOf(apiVersion)
  return `${kind.toLowerCase()}s${group.ok && group.value ? `.${group.value}` : ''}`
}
