/** What is remembered of a workload's health, by cluster: in the binding itself, so that it outlives processes and leaders. */
import type { AggregatedStatusItem } from '../../kube/kinds/binding'
import type { EpochMs } from '../../std/clock'
import { parseTime } from '../../std/clock'
import { RECORD_ANNOTATION } from './annotations'
import type { FailoverBinding } from './binding'
import { readObject } from './read-json'
import { isoTime } from '@/lib/std/clock'

/** One cluster. */
export interface HealthMemory {
  /** Since when failures count without a break. */
  failedSince?: EpochMs
  /** When the status was first collected, where the status itself does not say. */
  firstSeen?: EpochMs
  /** It was healthy once, where the status itself does not say. */
  settled?: true
}

export type HealthRecord = ReadonlyMap<string, HealthMemory>

/** The record as the binding carries it; what cannot be read is forgotten, as if it had just begun. */
export function readRecord({ metadata }: Pick<FailoverBinding, 'metadata'>): HealthRecord {
  const entries = Object.entries(readObject(metadata.annotations?.[RECORD_ANNOTATION]) ?? {})
  return new Map(entries.map(([cluster, value]) => [cluster, memoryIn(value)]))
}

/** The text for the annotation; undefined when there is nothing to remember. Times have milliseconds. */
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

/** When the status of a cluster was first collected; undefined when that is not known. */
export function firstSeenOf(item: AggregatedStatusItem, memory: HealthMemory | undefined): EpochMs | undefined {
  return timeIn(item.creationTimestamp) ?? memory?.firstSeen
}

/** Whether the workload was healthy in a cluster once. */
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
