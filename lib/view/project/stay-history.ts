/** Run times of workloads from the journal: from their first placement to their deletion. */
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { forgetOldest } from '@/lib/std/recent-map'
import type { JournalEntry } from '../journal'
import { parseWorkloadId } from '../workload-id'

/** Limits of memory: running workloads, namespaces, and the latest run times of each. */
const MAX_RUNNING = 20_000
const MAX_NAMESPACES = 2000
const MAX_STAYS = 200

/** Folds entries in order. Run times whose start or end was not observed do not count. */
export class StayHistory {
  readonly #since = new Map<string, EpochMs>()
  /** In milliseconds, by namespace. */
  readonly #stays = new Map<string, readonly number[]>()

  /** Processes the next entry. */
  note(entry: JournalEntry): void {
    if (entry.what !== 'placement') return
    const { workload, before, after, late, trigger } = entry
    if (before.length === 0 && after.length > 0) this.#begin(workload, late ? undefined : parseTime(entry.at))
    if (after.length === 0 && trigger === 'deletion') this.#end(workload, late ? undefined : parseTime(entry.at))
  }

  /** Returns the run times of deleted workloads in these namespaces, in milliseconds. */
  staysIn(namespaces: readonly string[]): number[] {
    return namespaces.flatMap((namespace) => this.#stays.get(namespace) ?? [])
  }

  /** A workload that lost its clusters and was placed again counts from the first placement. */
  #begin(workload: string, at: EpochMs | undefined): void {
    if (at === undefined || this.#since.has(workload)) return
    this.#since.set(workload, at)
    forgetOldest(this.#since, MAX_RUNNING)
  }

  #end(workload: string, at: EpochMs | undefined): void {
    const since = this.#since.get(workload)
    this.#since.delete(workload)
    const namespace = parseWorkloadId(workload)?.namespace
    if (since === undefined || at === undefined || namespace === undefined) return
    const stays = [...(this.#stays.get(namespace) ?? []), at - since].slice(-MAX_STAYS)
    this.#stays.delete(namespace)
    this.#stays.set(namespace, stays)
    forgetOldest(this.#stays, MAX_NAMESPACES)
  }
}
