/** The pages of single workloads: which ones a change touches, and how each is projected. */
import { explainInaction, type FailoverSettings } from '@/lib/domain/failover'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Event } from '@/lib/kube/kinds/event'
import { keyOf } from '@/lib/kube/object'
import type { Clock, Stop } from '@/lib/std/clock'
import type { InactionView, WorkloadDetailView } from '@/lib/view/model'
import { type AnyBinding, templateOf } from '@/lib/view/project/binding-facts'
import { projectInaction } from '@/lib/view/project/inaction'
import { ProjectionMemo } from '@/lib/view/project/memo'
import { explainPlacement } from '@/lib/view/project/why'
import { projectWorkloadDetail } from '@/lib/view/project/workload-detail'
import { workloadId } from '@/lib/view/workload-id'
import type { Journal } from '../recorder/journal'
import { idOf, type Subject, type World } from '../world/world'
import { Signal } from './signal'
import type { WorkloadRows } from './workloads'

export interface DetailSources {
  world: World
  rows: WorkloadRows
  journal: Journal
  clock: Clock
  failover?: FailoverSettings | undefined
}

/** Pages by workload id, projected when asked for. Events are followed only once the first page was opened. */
export class WorkloadDetails {
  readonly touched = new Signal()
  /** Told when something changed that every open page depends on. */
  readonly allTouched = new Signal()
  readonly #sources: DetailSources
  readonly #memo = new ProjectionMemo<WorkloadDetailView>()
  #stops: Stop[] = []
  #followsEvents = false

  constructor(sources: DetailSources) {
    this.#sources = sources
  }

  start(): void {
    const { world, rows, journal } = this.#sources
    this.#stops = [
      rows.touched.listen((id) => this.touched.emit(id)),
      journal.placementTouched.listen((id) => this.touched.emit(id)),
      world.rebalancers.onChange((change) => {
        const targets = (change.type === 'deleted' ? change.old : change.object).spec.workloads
        for (const target of targets) this.touched.emit(workloadId(target))
      }),
      world.clusters.onChange(({ type }) => this.allTouched.emit(type)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** To be called when a page is opened. */
  open(): void {
    if (this.#followsEvents) return
    this.#followsEvents = true
    const events = this.#sources.world.events()
    this.#stops.push(events.onChange((change) => this.#onEvent(change.type === 'deleted' ? change.old : change.object)))
  }

  /** To be called when a page is no longer kept. */
  close(id: string): void {
    this.#memo.forget(id)
  }

  /** The page; undefined when there is no such workload. */
  page(id: string): WorkloadDetailView | undefined {
    const { world, rows, journal } = this.#sources
    const binding = world.bindingOf(id)
    const view = rows.row(id)
    if (!binding || !view) return undefined
    const works = world.worksOf(binding)
    const rebalancers = world.rebalancersOf(id)
    const placements = journal.changesOf(id)
    const clusters = world.clusters.list()
    const policies = world.policiesOf(binding)
    const events = this.#subjects(binding).map((subject) => world.eventsAbout(subject))
    const inputs = [binding, view, works, rebalancers, placements, clusters, ...policies, ...events]
    return this.#memo.get(id, inputs, () => projectWorkloadDetail({
      binding, view, works, rebalancers, placements, events: events.flat(), why: explainPlacement(binding, clusters),
      inaction: this.#inaction(binding, clusters),
    }))
  }

  #inaction(binding: AnyBinding, clusters: readonly Cluster[]): InactionView[] {
    const { world, clock, failover: settings } = this.#sources
    const facts = { clusters, policies: world.policiesOf(binding), now: clock.now(), ...(settings && { settings }) }
    return explainInaction(binding, facts).map(projectInaction)
  }

  #subjects(binding: AnyBinding): Subject[] {
    const objects = [binding, ...this.#sources.world.worksOf(binding)]
    const subjects = objects.map(({ kind, metadata: { namespace, name } }) => ({ kind, namespace, name }))
    return [templateOf(binding), ...subjects]
  }

  #onEvent({ involvedObject }: Event): void {
    const { apiVersion = '', kind = '', namespace, name = '' } = involvedObject
    const { world } = this.#sources
    if (kind === 'ResourceBinding' || kind === 'ClusterResourceBinding') {
      const binding = world.bindingByKey(kind, keyOf({ namespace, name }))
      return binding && this.touched.emit(idOf(binding))
    }
    if (kind !== 'Work') return this.touched.emit(workloadId({ apiVersion, kind, namespace, name }))
    const work = world.works.get(keyOf({ namespace, name }))
    for (const id of work ? world.workloadsOfWork(work) : []) this.touched.emit(id)
  }
}
