/** Clusters that are excluded for a workload because it failed there. */
import type { ActiveEvictionHistory } from '../../kube/kinds/binding'
import { formatTime, parseTime, type EpochMs } from '../../std/clock'
import { HISTORY_ANNOTATION } from './annotations'
import type { FailoverBinding } from './binding'
import { readList } from './read-json'
import { applicationRuleOf } from './rule'

/** A cluster that is excluded, and until when; Infinity: until the history is cleared. */
export interface BlockedPredecessor {
  cluster: string
  until: EpochMs
}

/** The history as the API object has it: the field, and the annotation where the field is not kept. The latest of a cluster counts. */
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

/** The excluded clusters, whether their time is up or not. */
export function blockedPredecessors(
  binding: Pick<FailoverBinding, 'metadata' | 'spec'>,
  blockMs = applicationRuleOf(binding)?.blockMs ?? 0,
): BlockedPredecessor[] {
  return evictionHistoryOf(binding).map(({ clusterName, creationTimestamp }) => ({
    cluster: clusterName,
    until: endOf(creationTimestamp, blockMs),
  }))
}

/** The history after clusters were left: their entries are new, and those whose time is up are gone. */
export function historyAfter(
  before: readonly ActiveEvictionHistory[],
  { left, blockMs, now }: { left: readonly string[]; blockMs: number; now: EpochMs },
): ActiveEvictionHistory[] {
  const kept = before.filter(
    ({ clusterName, creationTimestamp }) => !left.includes(clusterName) && endOf(creationTimestamp, blockMs) > now,
  )
  return [...kept, ...left.map((clusterName) => ({ clusterName, creationTimestamp: formatTime(now) }))]
}

/** Returns when an entry expires: never for one without a valid time, which may be new. */
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
