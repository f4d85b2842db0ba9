/** Accounting of the webhook: every pod is recorded before it is created or deleted. */
import type { Pod, SpreadSubset, SubsetStatus, WorkloadSpread, WorkloadSpreadStatus } from '../../kube/kinds'
import { formatTime, type EpochMs } from '../../std/clock'
import { chooseSubset, type HasCapacity } from './choose-subset'
import { limitOf } from './limits'
import { readMatched, UNLIMITED } from './names'
import type { SpreadRules } from './rules'
import { podVersion } from './select-pods'

export interface Entry {
  spread: Pick<WorkloadSpread, 'spec' | 'status'>
  pod: Pod
  /** Size of the workload; 0 if it does not exist, or if no limit depends on it. */
  size: number
  now: EpochMs
  /** Returns an ID for a pod that has no name yet. */
  uid: () => string
  rules: Pick<SpreadRules, 'freshShares'>
  hasCapacity?: HasCapacity
}

export interface AccountingResult {
  /** The subset of the pod; undefined if none takes it or it is in none. */
  row?: SubsetStatus
  /** The ID recorded instead of a name. */
  uid?: string
  /** True if the status must be written. */
  changed: boolean
  status: WorkloadSpreadStatus
}

/** Returns the rows with which the webhook starts a revision: an invalid limit counts as 0. */
export function openRows(subsets: readonly SpreadSubset[], size: number): SubsetStatus[] {
  return subsets.map(({ name, maxReplicas }) => {
    const limit = limitOf(maxReplicas, size, 'strict')
    return { name, replicas: 0, missingReplicas: limit.ok ? (limit.value ?? UNLIMITED) : 0 }
  })
}

/** Records a pod that is being created. */
export function recordCreation(entry: Entry): AccountingResult {
  const { pod, now, hasCapacity } = entry
  const rows = currentRows(entry)
  const known = rowHolding(rows, pod.metadata.name)
  if (known) return unchanged(entry, rows, known)
  const chosen = chooseSubset(rows, hasCapacity)
  if (!chosen || chosen.missingReplicas === UNLIMITED) return unchanged(entry, rows, chosen)
  const uid = pod.metadata.name ? undefined : entry.uid()
  const row: SubsetStatus = {
    ...chosen,
    missingReplicas: chosen.missingReplicas - 1,
    creatingPods: { ...chosen.creatingPods, [uid ?? pod.metadata.name]: formatTime(now) },
  }
  return { row, ...(uid && { uid }), changed: true, status: withRows(entry, replaced(rows, chosen, row)) }
}

/**
 * Records a pod that is being deleted or evicted. The missing replicas of its subset may exceed the limit until the
 * controller counts.
 */
export function recordDeletion(entry: Entry): AccountingResult {
  const { pod, now } = entry
  const rows = currentRows(entry)
  const { name } = pod.metadata
  if (rowHolding(rows, name)) return unchanged(entry, rows)
  const left = rows.find((row) => row.name === readMatched(pod.metadata.annotations)?.subset)
  if (!left || left.missingReplicas === UNLIMITED) return unchanged(entry, rows, left)
  const row: SubsetStatus = {
    ...left,
    missingReplicas: left.missingReplicas + 1,
    deletingPods: { ...left.deletingPods, [name]: formatTime(now) },
  }
  return { row, changed: true, status: withRows(entry, replaced(rows, left, row)) }
}

function currentRows(entry: Entry): SubsetStatus[] {
  const {
    spread: { spec, status },
    pod,
    size,
    rules,
  } = entry
  const subsets = spec?.subsets ?? []
  const rows = status?.versionedSubsetStatuses?.[podVersion(pod)]
  if (!rows || rows.length === 0) return openRows(subsets, size)
  return rules.freshShares ? rows.map((row) => refreshed(row, subsets, size)) : rows
}

/**
 * Returns a row with missing replicas recomputed from the current size; the row already includes existing, created and
 * deleted pods.
 */
function refreshed(row: SubsetStatus, subsets: readonly SpreadSubset[], size: number): SubsetStatus {
  const maxReplicas = subsets.find(({ name }) => name === row.name)?.maxReplicas
  if (typeof maxReplicas !== 'string') return row
  const limit = limitOf(maxReplicas, size, 'strict')
  if (!limit.ok || limit.value === undefined) return row
  const missingReplicas = Math.max(0, limit.value - heldBy(row))
  return missingReplicas === row.missingReplicas ? row : { ...row, missingReplicas }
}

/** Returns the pods of a row: counted ones plus pods being created, minus pods being deleted. */
export function heldBy({ replicas, creatingPods, deletingPods }: SubsetStatus): number {
  return replicas + Object.keys(creatingPods ?? {}).length - Object.keys(deletingPods ?? {}).length
}

function rowHolding(rows: readonly SubsetStatus[], name: string | undefined): SubsetStatus | undefined {
  if (!name) return undefined
  const holds = (pods: Readonly<Record<string, string>> | undefined): boolean =>
    pods !== undefined && Object.hasOwn(pods, name)
  return rows.find(({ creatingPods, deletingPods }) => holds(creatingPods) || holds(deletingPods))
}

const replaced = (rows: readonly SubsetStatus[], old: SubsetStatus, row: SubsetStatus): SubsetStatus[] =>
  rows.map((one) => (one === old ? row : one))

/** Returns the rows even if nothing is written, because the next pod uses them. */
function unchanged(entry: Entry, rows: SubsetStatus[], row?: SubsetStatus): AccountingResult {
  return { ...(row && { row }), changed: false, status: withRows(entry, rows) }
}

function withRows({ spread: { status }, pod }: Entry, rows: SubsetStatus[]): WorkloadSpreadStatus {
  return { ...status, versionedSubsetStatuses: { ...status?.versionedSubsetStatuses, [podVersion(pod)]: rows } }
}
