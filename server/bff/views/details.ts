/** The pages of single workloads: which ones a change affects, and how each is projected. */
import { message } from '@/lib/messages/message'
import { blockersOf, type FailoverSettings, type BlockerFacts } from '@/lib/domain/failover'
import type { Work } from '@/lib/kube/kinds/work'
import type { Clock, Stop } from '@/lib/std/clock'
import type { BlockerView, WorkloadDetailView } from '@/lib/view/model'
import { type AnyBinding, templateOf } from '@/lib/view/project/binding-facts'
import { projectBlocker } from '@/lib/view/project/blockers'
import { ProjectionMemo } from '@/lib/view/project/memo'
import { explainPlacement } from '@/lib/view/project/why'
import { projectWorkloadDetail } from '@/lib/view/project/workload-detail'
import type { Scope } from '../access/access'
import { Signal } from '../cache/signal'
import type { ControlPlaneIds } from '../read-model/control-plane-ids'
import type { ReadModels, Subject } from '../read-model/read-model'
import type { WorkloadRows } from './workloads'

export interface DetailSources {
  all: ControlPlaneIds
  models: ReadModels
  rows: WorkloadRows
  /** Emits the ids of workloads with a recorded change of placement. */
  placementTouched: Signal
  clock: Clock
  failover?: FailoverSettings | undefined
}

/** Pages by workload id, projected on request. Events are followed only after the first page was opened. */
export class WorkloadDetails {
  readonly touched = new Signal()
  /** Emits when something changed that every open page depends on. */
  readonly allTouched = new Signal()
  readonly #sources: DetailSources
  readonly #memo = new ProjectionMemo<WorkloadDetailView>()
  #stops: Stop[] = []
  #followsEvents = false

  constructor(sources: DetailSources) {
    this.#sources = sources
  }

  start(): void {
    const { all, rows, placementTouched } = this.#sources
    this.#stops = [
      rows.touched.listen((id) => this.touched.emit(id)),
      placementTouched.listen((id) => this.touched.emit(id)),
      all.onRebalanced((id) => this.touched.emit(id)),
      all.onCluster((name) => this.allTouched.emit(name)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Call this when a page is opened. */
  open(): void {
    if (this.#followsEvents) return
    this.#followsEvents = true
    this.#stops.push(this.#sources.all.onEvent((id) => this.touched.emit(id)))
  }

  /** Call this when a page is no longer kept. */
  close(id: string): void {
    this.#memo.forget(id)
  }

  /** Returns the page, built from objects in the scope; undefined if the scope lacks the workload. */
  page(id: string, scope: Scope): WorkloadDetailView | undefined {
    const { models, rows } = this.#sources
    const reader = models.of(scope)
    const view = rows.row(id, scope)
    const binding = view && reader.binding(id)
    if (!binding) return undefined
    const works = reader.works(binding) ?? []
    const rebalancers = reader.rebalancersOf(id)
    const placements = reader.placementChanges(id)
    const clusters = reader.clusters()
    const policies = reader.policiesOf(binding)
    const events = subjectsOf(binding, works).flatMap((subject) => {
      const about = reader.eventsAbout(subject)
      return about ? [about] : []
    })
    const inputs = [binding, view, works, rebalancers, placements, clusters, ...policies, ...events]
    const project = () =>
      projectWorkloadDetail({
        binding,
        view,
        works,
        rebalancers,
        placements,
        events: events.flat(),
        why: explainPlacement(binding, clusters),
        blockedBy: reader.hidesClusters() ? [CLUSTERS_UNSEEN] : this.#blockedBy(binding, { clusters, policies }),
      })
    return reader.isUnrestricted ? this.#memo.get(id, inputs, project) : project()
  }

  #blockedBy(binding: AnyBinding, seen: Pick<BlockerFacts, 'clusters' | 'policies'>): BlockerView[] {
    const { clock, failover: settings } = this.#sources
    return blockersOf(binding, { ...seen, now: clock.now(), ...(settings && { settings }) }).map(projectBlocker)
  }
}

const CLUSTERS_UNSEEN: BlockerView = { reason: 'clustersUnseen', message: message('failover.blocker.clustersUnseen') }

/** Returns the objects that events of a workload may concern. */
function subjectsOf(binding: AnyBinding, works: readonly Work[]): Subject[] {
  const subjects = [binding, ...works].map(({ kind, metadata: { namespace, name } }) => ({ kind, namespace, name }))
  return [templateOf(binding), ...subjects]
}
