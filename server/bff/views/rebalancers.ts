/**
 * The rows and pages of the rebalancers, which change with every workload that they name. A rebalancer may name thousands, so
 * only the targets that may have changed are projected again, once for both; and a row has no details of targets.
 */
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { Stop } from '@/lib/std/clock'
import type { RebalancerRowView, RebalancerView, RebalanceTargetView } from '@/lib/view/rebalance-model'
import {
  type ListedTarget,
  listTargets,
  projectRebalancer,
  projectRebalancerRow,
  projectTarget,
  type RebalancerSnapshot,
} from '@/lib/view/project/rebalancer'
import { shareStructure } from '@/lib/std/share-structure'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModel, ReadModels } from '../read-model/read-model'
import { pageIntervalMs, rowIntervalMs } from './target-intervals'
import { TouchLog } from './touch-log'
import type { WorkloadRows } from './workloads'

interface RebalancerSources {
  all: ControlPlaneIds
  models: ReadModels
  rows: WorkloadRows
  /** Emits the workloads whose expected placement may have changed. */
  expectedTouched: Signal
}

/** A rebalancer as a scope sees it: its targets, with the page and the row that were built from them. */
interface Entry {
  rebalancer: WorkloadRebalancer
  reads: string
  listed: readonly ListedTarget[]
  /** Of all targets. The same array in each row, so that rows are compared without a look at its thousands of ids. */
  ids: string[]
  /** The position of each workload in `listed`. */
  positions: ReadonlyMap<string, number>
  /** As in `listed`; undefined before a target is projected for the first time. */
  targets: (RebalanceTargetView | undefined)[]
  /** So many targets were projected since the rebalancer itself changed. */
  projected: number
  /** Workloads touched after this may have changed; see `TouchLog`. */
  upTo: number
  /** Undefined while `targets` is newer. */
  page: RebalancerView | undefined
  /** The last row, and the page that it sums up. */
  row: { of: RebalancerView; view: RebalancerRowView } | undefined
}

/** The position of what is not listed. */
const NOWHERE = -1

/** Rows and pages by name; `touched` emits the names that may have changed. */
export class RebalancerRows {
  readonly touched = new Signal()
  readonly #sources: RebalancerSources
  readonly #entries = new WeakMap<Scope, Map<string, Entry>>()
  /** Of the workloads that a rebalancer names. */
  readonly #workloads = new TouchLog()
  /** The last touch of a workload that it names, by rebalancer. */
  readonly #rebalancers = new Map<string, number>()
  /** Of the largest rebalancer; undefined after a change, until it is asked for. */
  #mostTargets: number | undefined
  #stops: Stop[] = []

  constructor(sources: RebalancerSources) {
    this.#sources = sources
  }

  start(): void {
    const { all, rows, expectedTouched } = this.#sources
    this.#stops = [
      rows.touched.listen((id) => this.#touch(id)),
      expectedTouched.listen((id) => this.#touch(id)),
      // Whether another rebalancer moved a workload later depends on all that name it.
      all.onListing((id) => this.#touch(id)),
      all.onRebalancer((name, isRemoved) => {
        this.#mostTargets = undefined
        if (isRemoved) this.#rebalancers.delete(name)
        this.touched.emit(name)
      }),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Returns the ids of all rows. */
  ids(): string[] {
    return this.#sources.all.rebalancers()
  }

  /** Returns the minimum time between two messages by the size of the largest row; undefined: that of other topics. */
  rowsIntervalMs(): number | undefined {
    this.#mostTargets ??= this.#sources.all.mostTargets()
    return rowIntervalMs(this.#mostTargets)
  }

  /** Returns the same for a page. */
  pageIntervalMs(name: string): number | undefined {
    return pageIntervalMs(this.#sources.all.targetCount(name))
  }

  /** Projects the targets of these rebalancers until `isLong`; returns whether nothing is left. */
  prepare(scope: Scope, isLong: () => boolean, names: Iterable<string> = this.ids()): boolean {
    const reader = this.#sources.models.of(scope)
    for (const name of names) {
      const entry = this.#entryOf(name, reader, scope)
      if (entry && !this.#refresh(entry, { reader, scope, isLong })) return false
    }
    return true
  }

  /**
   * Returns the row; undefined when the scope sees no such rebalancer. It stays the same object until something changes
   * that it shows. Targets are listed as in the object; counts and moves are those of the page.
   */
  row(name: string, scope: Scope): RebalancerRowView | undefined {
    const entry = this.#refreshed(name, scope)
    if (!entry) return undefined
    const page = pageOf(entry)
    if (entry.row?.of !== page)
      entry.row = { of: page, view: shareStructure(entry.row?.view, projectRebalancerRow(page, entry.ids)) }
    return entry.row.view
  }

  /**
   * Returns the page; undefined when the scope sees no such rebalancer. Its targets are listed as in the object;
   * progress and placement are included only for the targets that the scope sees.
   */
  page(name: string, scope: Scope): RebalancerView | undefined {
    const entry = this.#refreshed(name, scope)
    return entry && pageOf(entry)
  }

  #touch(workload: string): void {
    const names = this.#sources.all.rebalancersListing(workload)
    if (names.length === 0) return this.#workloads.forget(workload)
    this.#workloads.touch(workload)
    for (const name of names) {
      this.#rebalancers.set(name, this.#workloads.count)
      this.touched.emit(name)
    }
  }

  #refreshed(name: string, scope: Scope): Entry | undefined {
    const reader = this.#sources.models.of(scope)
    const entry = this.#entryOf(name, reader, scope)
    if (entry) this.#refresh(entry, { reader, scope, isLong: () => false })
    return entry
  }

  /** Returns the entry as it was left; a new version of the object, or other kinds to read, concern every target. */
  #entryOf(name: string, reader: ReadModel, scope: Scope): Entry | undefined {
    const entries = this.#entries.get(scope) ?? new Map<string, Entry>()
    this.#entries.set(scope, entries)
    const rebalancer = reader.rebalancer(name)
    if (!rebalancer) return void entries.delete(name)
    const known = entries.get(name)
    const { reads } = reader
    if (known?.rebalancer === rebalancer && known.reads === reads) return known
    const listed = listTargets(rebalancer)
    const ids = shareStructure(
      known?.ids,
      listed.map(({ id }) => id),
    )
    const fresh: Entry = {
      rebalancer,
      reads,
      listed,
      ids,
      positions: new Map(ids.map((id, at) => [id, at])),
      targets: ids.map((id) => known?.targets[known.positions.get(id) ?? NOWHERE]),
      projected: 0,
      upTo: this.#workloads.count,
      page: undefined,
      row: known?.row,
    }
    entries.set(name, fresh)
    return fresh
  }

  /** Projects the targets that may have changed until `isLong`; returns whether all are up to date. */
  #refresh(
    entry: Entry,
    { reader, scope, isLong }: { reader: ReadModel; scope: Scope; isLong: () => boolean },
  ): boolean {
    const snapshot = this.#snapshotOf(entry.rebalancer, reader, scope)
    for (; entry.projected < entry.listed.length; entry.projected += 1) {
      if (isLong()) return false
      projectAt(entry, entry.projected, snapshot)
    }
    if (entry.upTo >= (this.#rebalancers.get(entry.rebalancer.metadata.name) ?? 0)) return true
    const { count } = this.#workloads
    for (const { id, at } of this.#workloads.after(entry.upTo)) {
      const position = entry.positions.get(id)
      if (position !== undefined) {
        if (isLong()) return false
        projectAt(entry, position, snapshot)
      }
      entry.upTo = at
    }
    entry.upTo = count
    return true
  }

  #snapshotOf(rebalancer: WorkloadRebalancer, reader: ReadModel, scope: Scope): RebalancerSnapshot {
    const { rows } = this.#sources
    return {
      rebalancer,
      target: (id) => {
        const binding = reader.binding(id)
        return binding && { binding, view: () => rows.row(id, scope), works: reader.works(binding) ?? [] }
      },
      naming: (id) => reader.rebalancersOf(id),
      ignored: (id) => reader.ignoredTrigger(id),
      expected: (id) => reader.expectedPlacement(id),
      seen: (id) => reader.rebalanceSince(id, rebalancer),
    }
  }
}

function projectAt(entry: Entry, position: number, snapshot: RebalancerSnapshot): void {
  const before = entry.targets[position]
  const after = shareStructure(before, projectTarget(snapshot, entry.listed[position]!))
  if (after === before) return
  entry.targets[position] = after
  entry.page = undefined
}

/** Every target has been projected. */
function pageOf(entry: Entry): RebalancerView {
  entry.page ??= projectRebalancer(entry.rebalancer, [...(entry.targets as RebalanceTargetView[])])
  return entry.page
}
