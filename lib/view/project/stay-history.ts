/** How long workloads stayed, from the journal: from their first placement until they were deleted. */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { JournalEntry } from '../journal'
import { parseWorkloadId } from '../workload-id'

/** What is remembered at most: workloads that run, namespaces, and the latest stays of each. */
const MOST_RUNNING = 20_000
const MOST_NAMESPACES = 2000
const MOST_STAYS = 200

/** Folds entries in their order. What began or ended unobserved has no known length, and does not count. */
export class StayHistory {
  readonly #since = new Map<string, EpochMs>()
  /** In milliseconds, by namespace. */
  readonly #stays = new Map<string, readonly number[]>()

  /** Takes the next entry. */
  note(entry: JournalEntry): void {
    if (entry.what !== 'placement') return
    const { workload, before, after, late, trigger } = entry
    if (before.length === 0 && after.length > 0) this.#begin(workload, late ? undefined : parseTime(entry.at))
    if (after.length === 0 && trigger === 'deletion') this.#end(workload, late ? undefined : parseTime(entry.at))
  }

  /** The stays in these namespaces that ended, in milliseconds. */
  staysIn(namespaces: readonly string[]): number[] {
    return namespaces.flatMap((namespace) => this.#stays.get(namespace) ?? [])
  }

  /** A workload that lost its clusters and was placed again stays since the first time. */
  #begin(workload: string, at: EpochMs | undefined): void {
    if (at === undefined || this.#since.has(workload)) return
    this.#since.set(workload, at)
    forgetOldest(this.#since, MOST_RUNNING)
  }

  #end(workload: string, at: EpochMs | undefined): void {
    const since = this.#since.get(workload)
    this.#since.delete(workload)
    const namespace = parseWorkloadId(workload)?.namespace
    if (since === undefined || at === undefined || namespace === undefined) return
    const stays = [...(this.#stays.get(namespace) ?? []), at - since].slice(-MOST_STAYS)
    this.#stays.delete(namespace)
    this.#stays.set(namespace, stays)
    forgetOldest(this.#stays, MOST_NAMESPACES)
  }
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
