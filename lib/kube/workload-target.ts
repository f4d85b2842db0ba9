/** Workloads as a WorkloadSpread names them. */
import { ownField } from '@/lib/std/fields'
import { err, ok, type Result } from '@/lib/std/result'

/** The fields of a reference that identify a workload; its version is ignored. */
export interface WorkloadReference {
  apiVersion: string
  kind: string
  name: string
}

/** A kind of workload beyond the known ones, as OpenKruise's configuration lists them. */
export interface CustomWorkload {
  group: string
  kind: string
  /** Kinds of objects between such a workload and its pods. */
  subResources?: readonly { group: string; kind: string }[]
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
  return ownField(SUPPORTED, kind)
}

/** The same workload: group, kind and name. */
export function isSameWorkload(a: WorkloadReference, b: WorkloadReference): boolean {
  const [left, right] = [groupOf(a.apiVersion), groupOf(b.apiVersion)]
  return left.ok && right.ok && left.value === right.value && a.kind === b.kind && a.name === b.name
}
