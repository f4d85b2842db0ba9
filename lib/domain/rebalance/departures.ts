/**
 * Tracks from which clusters a workload was evicted. The eviction task records it while it lasts; afterwards an
 * annotation of the binding does, because no other field keeps it.
 */
import type { GracefulEvictionTask } from '@/lib/kube/kinds/binding'
import { isProtection } from '../eviction'
import type { Binding } from '../placement'

/** Annotation of a binding: the clusters that it was evicted from and has not returned to, as JSON. */
export const DEPARTURES_ANNOTATION = 'rebalance.evenkeel.io/left'

export interface Departure {
  cluster: string
  /** Replicas that ran there, if known. */
  replicas?: number
  /** When it was evicted, RFC 3339. */
  at?: string
  /** Reason of the eviction task. */
  reason?: string
}

/**
 * Returns the clusters that the workload was evicted from and does not run in now: the latest eviction from each,
 * oldest first.
 */
export function departedClusters({ metadata, spec }: Pick<Binding, 'metadata' | 'spec'>): Departure[] {
  const present = new Set((spec.clusters ?? []).map(({ name }) => name))
  const noted = readDepartures(metadata.annotations?.[DEPARTURES_ANNOTATION])
  const going = (spec.gracefulEvictionTasks ?? []).filter(isDeparture).map(departureOf)
  const byCluster = new Map([...noted, ...going].map((departure) => [departure.cluster, departure]))
  return [...byCluster.values()]
    .filter(({ cluster }) => !present.has(cluster))
    .sort((a, b) => (a.at ?? '').localeCompare(b.at ?? '') || (a.cluster < b.cluster ? -1 : 1))
}

/** Returns the annotation to write when these tasks end; undefined if it does not change. */
export function notedDepartures(
  binding: Pick<Binding, 'metadata' | 'spec'>,
  ended: readonly GracefulEvictionTask[],
): string | undefined {
  const before = binding.metadata.annotations?.[DEPARTURES_ANNOTATION]
  const relevant = ended.filter(isDeparture)
  if (relevant.length === 0) return undefined
  const present = new Set((binding.spec.clusters ?? []).map(({ name }) => name))
  const byCluster = new Map([...readDepartures(before), ...relevant.map(departureOf)].map((one) => [one.cluster, one]))
  const after = JSON.stringify([...byCluster.values()].filter(({ cluster }) => !present.has(cluster)))
  return after === before ? undefined : after
}

/** Tasks that protect replicas during a rebalance are no evictions. */
function isDeparture(task: GracefulEvictionTask): boolean {
  return !isProtection(task)
}

function departureOf({ fromCluster, replicas, creationTimestamp, reason }: GracefulEvictionTask): Departure {
  return {
    cluster: fromCluster,
    ...(replicas !== undefined && { replicas }),
    ...(creationTimestamp && { at: creationTimestamp }),
    reason,
  }
}

function readDepartures(text: string | undefined): Departure[] {
  if (!text) return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(isReadable) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function isReadable(value: unknown): value is Departure {
  return typeof value === 'object' && value !== null && typeof (value as Departure).cluster === 'string'
}
