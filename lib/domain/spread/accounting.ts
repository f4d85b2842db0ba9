/** The webhook's books: every pod that comes or goes is entered before it does. */
import type { Pod, SpreadSubset, SubsetStatus, WorkloadSpread, WorkloadSpreadStatus } from '../../kube/kinds'
import { formatTime, type EpochMs } from '../../std/clock'
import { chooseSubset, type HasRoom } from './choose-subset'
import { limitOf } from './limits'
import { readMatched, UNLIMITED } from './names'
import type { SpreadRules } from './rules'
import { podVersion } from './select-pods'

export interface Entry {
  spread: Pick<WorkloadSpread, 'spec' | 'status'>
  pod: Pod
  /** Of the workload; 0 when it is not there, or no limit depends on it. */
  size: number
  now: EpochMs
  /** Names a pod that has no name yet. */
  uid: () => string
  rules: Pick<SpreadRules, 'freshShares'>
  hasRoom?: HasRoom
}

export interface Posting {
  /** The subset of the pod; undefined when none takes it, or it is in none. */
  row?: SubsetStatus
  /** What was entered instead of a name. */
  uid?: string
  /** True when the status is to be written. */
  changed: boolean
  status: WorkloadSpreadStatus
}

/** Rows as the webhook begins a revision: a limit that cannot be read counts as 0. */
export function openRows(subsets: readonly SpreadSubset[], size: number): SubsetStatus[] {
  return subsets.map(({ name, maxReplicas }) => {
    const limit = limitOf(maxReplicas, size, 'strict')
    return { name, replicas: 0, missingReplicas: limit.ok ? (limit.value ?? UNLIMITED) : 0 }
  })
}

/** Enters a pod that is being made. */
export function enterCreation(entry: Entry): Posting {
  const { pod, now, hasRoom } = entry
  const rows = currentRows(entry)
  const known = rowHolding(rows, pod.metadata.name)
  if (known) return unchanged(entry, rows, known)
  const chosen = chooseSubset(rows, hasRoom)
  if (!chosen || chosen.missingReplicas === UNLIMITED) return unchanged(entry, rows, chosen)
  const uid = pod.metadata.name ? undefined : entry.uid()
  const row: SubsetStatus = {
    ...chosen,
    missingReplicas: chosen.missingReplicas - 1,
    creatingPods: { ...chosen.creatingPods, [uid ?? pod.metadata.name]: formatTime(now) },
  }
  return { row, ...(uid && { uid }), changed: true, status: withRows(entry, replaced(rows, chosen, row)) }
}

/** Enters a pod that is being deleted or evicted. Its subset may want more than its limit until the controller counts. */
export function enterDeletion(entry: Entry): Posting {
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

/** What a row wants when its share is taken of the size of now: pods that are there, come or go are in the row. */
function refreshed(row: SubsetStatus, subsets: readonly SpreadSubset[], size: number): SubsetStatus {
  const maxReplicas = subsets.find(({ name }) => name === row.name)?.maxReplicas
  if (typeof maxReplicas !== 'string') return row
  const limit = limitOf(maxReplicas, size, 'strict')
  if (!limit.ok || limit.value === undefined) return row
  const missingReplicas = Math.max(0, limit.value - heldBy(row))
  return missingReplicas === row.missingReplicas ? row : { ...row, missingReplicas }
}

/** Pods that a row accounts for: those counted, and those on their way in, without those on their way out. */
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

/** The rows are shown even where nothing is written: what the next pod will find. */
function unchanged(entry: Entry, rows: SubsetStatus[], row?: SubsetStatus): Posting {
  return { ...(row && { row }), changed: false, status: withRows(entry, rows) }
}

function withRows({ spread: { status }, pod }: Entry, rows: SubsetStatus[]): WorkloadSpreadStatus {
  return { ...status, versionedSubsetStatuses: { ...status?.versionedSubsetStatuses, [podVersion(pod)]: rows } }
}
