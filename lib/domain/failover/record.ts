/**
 * Records the health of a workload by cluster, in the binding itself so that the record survives restarts and changes
 * of the leader.
 */
import type { AggregatedStatusItem } from '../../kube/kinds/binding'
import type { EpochMs } from '../../std/clock'
import { parseTime } from '../../std/clock'
import { RECORD_ANNOTATION } from './annotations'
import type { FailoverBinding } from './binding'
import { readObject } from './read-json'
import { isoTime } from '@/lib/std/clock'

/** Record of one cluster. */
export interface HealthMemory {
  /** Start of the current uninterrupted failure. */
  failedSince?: EpochMs
  /** When the status was first collected, if the status does not contain it. */
  firstSeen?: EpochMs
  /** The workload was healthy once; set if the status does not contain it. */
  settled?: true
}

export type HealthRecord = ReadonlyMap<string, HealthMemory>

/** Reads the record from the binding; unreadable entries count as absent. */
export function readRecord({ metadata }: Pick<FailoverBinding, 'metadata'>): HealthRecord {
  const entries = Object.entries(readObject(metadata.annotations?.[RECORD_ANNOTATION]) ?? {})
  return new Map(entries.map(([cluster, value]) => [cluster, memoryIn(value)]))
}

/** Formats the annotation; undefined for an empty record. Times have milliseconds. */
export function formatRecord(record: HealthRecord): string | undefined {
  const entries = [...record]
    .filter(([, memory]) => Object.keys(memory).length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  if (entries.length === 0) return undefined
  return JSON.stringify(
    Object.fromEntries(
      entries.map(([cluster, { failedSince, firstSeen, settled }]) => [
        cluster,
        {
          ...(failedSince !== undefined && { failedSince: isoTime(failedSince) }),
          ...(firstSeen !== undefined && { firstSeen: isoTime(firstSeen) }),
          ...(settled && { settled }),
        },
      ]),
    ),
  )
}

/** Returns when the status of a cluster was first collected; undefined if unknown. */
export function firstSeenOf(item: AggregatedStatusItem, memory: HealthMemory | undefined): EpochMs | undefined {
  return timeIn(item.creationTimestamp) ?? memory?.firstSeen
}

/** Reports whether the workload has ever been healthy in a cluster. */
export function isSettled(item: AggregatedStatusItem, memory: HealthMemory | undefined): boolean {
  return item.settled === true || memory?.settled === true || item.health === 'Healthy'
}

function memoryIn(value: unknown): HealthMemory {
  const { failedSince, firstSeen, settled } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const [failed, seen] = [timeIn(failedSince), timeIn(firstSeen)]
  return {
    ...(failed !== undefined && { failedSince: failed }),
    ...(seen !== undefined && { firstSeen: seen }),
    ...(settled === true && { settled }),
  }
}

function timeIn(value: unknown): EpochMs | undefined {
  const at = typeof value === 'string' ? parseTime(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
