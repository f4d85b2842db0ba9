/**
 * The rows of the rebalancers, which change with every workload that they name. A rebalancer may name thousands, so only the
 * targets that may have changed are projected again.
 */
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { Stop } from '@/lib/std/clock'
import type { RebalancerView, RebalanceTargetView } from '@/lib/view/rebalance-model'
import {
  type ListedTarget,
  listTargets,
  projectRebalancer,
  projectTarget,
  type RebalancerSnapshot,
} from '@/lib/view/project/rebalancer'
import { shareStructure } from '@/lib/std/share-structure'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModel, ReadModels } from '../read-model/read-model'
import type { WorkloadRows } from './workloads'

interface RebalancerSources {
  all: ControlPlaneIds
  models: ReadModels
  rows: WorkloadRows
  /** Emits the workloads whose expected placement may have changed. */
  expectedTouched: Signal
}

/** A row with the targets that it was built from. Touches are numbered, see `RebalancerRows`. */
interface Row {
  rebalancer: WorkloadRebalancer
  reads: string
  listed: readonly ListedTarget[]
  /** By workload. */
  targets: Map<string, RebalanceTargetView>
  /** Targets touched later than this may have changed. */
  upTo: number
  /** The present pass over the targets: the last touch before it, and the next target. */
  pass: { began: number; at: number } | undefined
  /** Undefined while `targets` is newer. */
  view: RebalancerView | undefined
}

const NEVER = -1
/** A message contains all targets of a rebalancer: about half a kilobyte each, written, compressed, read and shown. */
const MS_PER_TARGET = 0.1
/** Up to here the default interval of the stream is long enough. */
const SMALL_MS = 50

/** Rows by name; `touched` emits the names that may have changed. */
export class RebalancerRows {
  readonly touched = new Signal()
  readonly #sources: RebalancerSources
  readonly #rows = new WeakMap<Scope, Map<string, Row>>()
  #touches = 0
  /** The last touch of each workload that a rebalancer names, and of each rebalancer. */
  readonly #workloads = new Map<string, number>()
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
  flushIntervalMs(): number | undefined {
    this.#mostTargets ??= this.#sources.all.mostTargets()
    const ms = MS_PER_TARGET * this.#mostTargets
    return ms > SMALL_MS ? ms : undefined
  }

  /** Projects the targets of these rows until `isLong`; returns whether nothing is left. */
  prepare(scope: Scope, isLong: () => boolean, names: Iterable<string> = this.ids()): boolean {
    const reader = this.#sources.models.of(scope)
    for (const name of names) {
      const row = this.#rowOf(name, reader, scope)
      if (row && !this.#refresh(row, { reader, scope, isLong })) return false
    }
    return true
  }

  /**
   * Returns the row; undefined when the scope sees no such rebalancer. Its targets are listed as in the object;
   * progress and placement are included only for the targets that the scope sees.
   */
  row(name: string, scope: Scope): RebalancerView | undefined {
    const reader = this.#sources.models.of(scope)
    const row = this.#rowOf(name, reader, scope)
    if (!row) return undefined
    this.#refresh(row, { reader, scope, isLong: () => false })
    row.view ??= projectRebalancer(
      row.rebalancer,
      row.listed.map(({ id }) => row.targets.get(id)!),
    )
    return row.view
  }

  #touch(workload: string): void {
    const names = this.#sources.all.rebalancersListing(workload)
    if (names.length === 0) return void this.#workloads.delete(workload)
    this.#touches += 1
    this.#workloads.set(workload, this.#touches)
    for (const name of names) {
      this.#rebalancers.set(name, this.#touches)
      this.touched.emit(name)
    }
  }

  /** Returns the row as it was left; a new version of the object, or other kinds to read, concern every target. */
  #rowOf(name: string, reader: ReadModel, scope: Scope): Row | undefined {
    const rows = this.#rows.get(scope) ?? new Map<string, Row>()
    this.#rows.set(scope, rows)
    const rebalancer = reader.rebalancer(name)
    if (!rebalancer) return void rows.delete(name)
    const known = rows.get(name)
    const { reads } = reader
    if (known?.rebalancer === rebalancer && known.reads === reads) return known
    const listed = listTargets(rebalancer)
    const targets = new Map(
      listed.flatMap(({ id }) => {
        const target = known?.targets.get(id)
        return target ? [[id, target]] : []
      }),
    )
    const row = { rebalancer, reads, listed, targets, upTo: NEVER, pass: undefined, view: undefined }
    rows.set(name, row)
    return row
  }

  /** Continues the pass over the targets until `isLong`; returns whether all are up to date. */
  #refresh(row: Row, { reader, scope, isLong }: { reader: ReadModel; scope: Scope; isLong: () => boolean }): boolean {
    while (row.upTo < (this.#rebalancers.get(row.rebalancer.metadata.name) ?? 0)) {
      const pass = (row.pass ??= { began: this.#touches, at: 0 })
      const snapshot = this.#snapshotOf(row.rebalancer, reader, scope)
      for (; pass.at < row.listed.length; pass.at += 1) {
        const target = row.listed[pass.at]!
        if ((this.#workloads.get(target.id) ?? 0) <= row.upTo) continue
        if (isLong()) return false
        const before = row.targets.get(target.id)
        const after = shareStructure(before, projectTarget(snapshot, target))
        if (after === before) continue
        row.targets.set(target.id, after)
        row.view = undefined
      }
      row.upTo = pass.began
      row.pass = undefined
    }
    return true
  }

  #snapshotOf(rebalancer: WorkloadRebalancer, reader: ReadModel, scope: Scope): RebalancerSnapshot {
    const { rows } = this.#sources
    return {
      rebalancer,
      target: (id) => {
        const view = rows.row(id, scope)
        const binding = view && reader.binding(id)
        return binding && view && { binding, view, works: reader.works(binding) ?? [] }
      },
      naming: (id) => reader.rebalancersOf(id),
      ignored: (id) => reader.ignoredTrigger(id),
      expected: (id) => reader.expectedPlacement(id),
      seen: (id) => reader.rebalanceSince(id, rebalancer),
    }
  }
}
