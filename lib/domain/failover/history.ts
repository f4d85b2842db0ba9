/** Tracks clusters that are excluded for a workload because it failed there. */
import type { ActiveEvictionHistory } from '../../kube/kinds/binding'
import { formatTime, parseTime, type EpochMs } from '../../std/clock'
import { HISTORY_ANNOTATION } from './annotations'
import type { FailoverBinding } from './binding'
import { readList } from './read-json'
import { applicationRuleOf } from './rule'

/** An excluded cluster and the end of the exclusion; Infinity: until the history is cleared. */
export interface BlockedPredecessor {
  cluster: string
  until: EpochMs
}

/**
 * Returns the history from the field, or from the annotation if the API does not store the field. The latest entry of a
 * cluster counts.
 */
export function evictionHistoryOf({
  metadata,
  spec,
}: Pick<FailoverBinding, 'metadata' | 'spec'>): ActiveEvictionHistory[] {
  if (!spec.activeEvictionHistory && metadata.annotations?.[HISTORY_ANNOTATION] === undefined) return []
  const noted = readList(metadata.annotations?.[HISTORY_ANNOTATION]).filter(isEntry)
  const byCluster = new Map<string, ActiveEvictionHistory>()
  for (const entry of [...noted, ...(spec.activeEvictionHistory ?? [])])
    byCluster.set(entry.clusterName, later(byCluster.get(entry.clusterName), entry))
  return [...byCluster.values()]
}

/** Returns the excluded clusters, including expired exclusions. */
export function blockedPredecessors(
  binding: Pick<FailoverBinding, 'metadata' | 'spec'>,
  blockMs = applicationRuleOf(binding)?.blockMs ?? 0,
): BlockedPredecessor[] {
  return evictionHistoryOf(binding).map(({ clusterName, creationTimestamp }) => ({
    cluster: clusterName,
    until: endOf(creationTimestamp, blockMs),
  }))
}

/** Returns the history after an eviction: the evicted clusters get new entries, and expired entries are removed. */
export function historyAfter(
  before: readonly ActiveEvictionHistory[],
  { left, blockMs, now }: { left: readonly string[]; blockMs: number; now: EpochMs },
): ActiveEvictionHistory[] {
  const kept = before.filter(
    ({ clusterName, creationTimestamp }) => !left.includes(clusterName) && endOf(creationTimestamp, blockMs) > now,
  )
  return [...kept, ...left.map((clusterName) => ({ clusterName, creationTimestamp: formatTime(now) }))]
}

/** Returns when an entry expires. One without a valid time never does, because it may be new. */
function endOf(creationTimestamp: string | undefined, blockMs: number): EpochMs {
  const at = parseTime(creationTimestamp ?? '')
  return Number.isNaN(at) ? Infinity : at + blockMs
}

function later(one: ActiveEvictionHistory | undefined, other: ActiveEvictionHistory): ActiveEvictionHistory {
  if (!one) return other
  return parseTime(one.creationTimestamp ?? '') > parseTime(other.creationTimestamp ?? '') ? one : other
}

function isEntry(value: unknown): value is ActiveEvictionHistory {
  return typeof value === 'object' && value !== null && typeof (value as ActiveEvictionHistory).clusterName === 'string'
}
