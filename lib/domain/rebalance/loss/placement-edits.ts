/** Edits of a placement that may let its workloads survive a loss. Each edits one field. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { ClusterAffinity, Placement, SpreadConstraint } from '@/lib/kube/kinds/placement'
import { tolerates } from '@/lib/kube/taint'
import { factsOf, matchesAffinity } from '../../placement'
import { taintsOf } from '../failing'

/** Describes an edit, for its message. */
export type PlacementChange =
  | { kind: 'allowCluster'; cluster: string }
  | { kind: 'maxGroups' | 'minGroups'; field: string; from: number; to: number }
  | { kind: 'evictAfter'; seconds: number }

export interface PlacementEdit {
  change: PlacementChange
  /** Path below `spec.placement`. */
  path: string[]
  value: unknown
}

/** The default of Karmada's webhook. */
const TOLERATION_SECONDS = 300
const [, NO_EXECUTE] = taintsOf('fails', 0)

export const withEdit = (placement: Placement, { path: [field = '', inner], value }: PlacementEdit): Placement => {
  if (inner === undefined) return { ...placement, [field]: value }
  return { ...placement, [field]: { ...(placement[field as keyof Placement] as object | undefined), [inner]: value } }
}

/** Adds a cluster to the placement; undefined if this is not possible by name. */
export function allowCluster(placement: Placement, cluster: Cluster): PlacementEdit | undefined {
  const change = { kind: 'allowCluster', cluster: cluster.metadata.name } as const
  const { clusterAffinity, clusterAffinities = [] } = placement
  if (clusterAffinity) {
    const edit = widen(clusterAffinity, cluster)
    return edit && { change, path: ['clusterAffinity', edit.field], value: edit.value }
  }
  const last = clusterAffinities.at(-1)
  const edit = last && widen(last, cluster)
  if (!edit) return undefined
  const value = [...clusterAffinities.slice(0, -1), { ...last, [edit.field]: edit.value }]
  return { change, path: ['clusterAffinities'], value }
}

function widen(
  affinity: ClusterAffinity,
  cluster: Cluster,
): { field: 'clusterNames' | 'exclude'; value: string[] } | undefined {
  const { name } = cluster.metadata
  const { clusterNames = [], exclude = [] } = affinity
  const isExcluded = exclude.includes(name)
  const isMissing = clusterNames.length > 0 && !clusterNames.includes(name)
  if (isExcluded === isMissing) return undefined
  const field = isExcluded ? 'exclude' : 'clusterNames'
  const edit = { field, value: isExcluded ? exclude.filter((one) => one !== name) : [...clusterNames, name] } as const
  return matchesAffinity({ ...affinity, [edit.field]: edit.value }, factsOf(cluster)) ? edit : undefined
}

/** Returns edits of spread constraints that require more groups than exist, or permit fewer clusters than exist. */
export function loosenSpread(
  { spreadConstraints = [] }: Placement,
  groupsOf: (field: string) => number,
): PlacementEdit[] {
  return spreadConstraints.flatMap((constraint, at) => {
    const { spreadByField: field = 'cluster', minGroups = 0, maxGroups = 0 } = constraint
    const groups = groupsOf(field)
    const edit = (kind: 'minGroups' | 'maxGroups', from: number, to: number): PlacementEdit => ({
      change: { kind, field, from, to },
      path: ['spreadConstraints'],
      value: spreadConstraints.with(at, { ...constraint, [kind]: to } satisfies SpreadConstraint),
    })
    return [
      ...(groups > 0 && minGroups > groups ? [edit('minGroups', minGroups, groups)] : []),
      ...(maxGroups > 0 && maxGroups < groups ? [edit('maxGroups', maxGroups, maxGroups + 1)] : []),
    ]
  })
}

/** Limits tolerations so that workloads do not tolerate a failed cluster indefinitely. */
export function limitToleration({ clusterTolerations = [] }: Placement): PlacementEdit | undefined {
  const value = clusterTolerations.map((one) =>
    one.tolerationSeconds === undefined && tolerates(one, NO_EXECUTE!)
      ? { ...one, effect: 'NoExecute' as const, tolerationSeconds: TOLERATION_SECONDS }
      : one,
  )
  if (value.every((one, at) => one === clusterTolerations[at])) return undefined
  return { change: { kind: 'evictAfter', seconds: TOLERATION_SECONDS }, path: ['clusterTolerations'], value }
}
