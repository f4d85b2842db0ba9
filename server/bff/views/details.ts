/** The pages of single workloads: which ones a change touches, and how each is projected. */
import { message } from '@/lib/messages/message'
import { blockersOf, type FailoverSettings, type BlockerFacts } from '@/lib/domain/failover'
import { clusterPropagationPolicy } from '@/lib/kube/kinds/cluster-propagation-policy'
import type { Event } from '@/lib/kube/kinds/event'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import type { Work } from '@/lib/kube/kinds/work'
import { keyOf } from '@/lib/kube/object'
import type { Clock, Stop } from '@/lib/std/clock'
import type { BlockerView, WorkloadDetailView } from '@/lib/view/model'
import { type AnyBinding, templateOf } from '@/lib/view/project/binding-facts'
import { projectBlocker } from '@/lib/view/project/blockers'
import { ProjectionMemo } from '@/lib/view/project/memo'
import { explainPlacement } from '@/lib/view/project/why'
import { projectWorkloadDetail } from '@/lib/view/project/workload-detail'
import { workloadId } from '@/lib/view/workload-id'
import type { Scope } from '../access/access'
import { CLUSTERS, EVENTS, REBALANCERS, resourceOf, seesWorkloadThen, WORKS } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import type { Journal } from '../recorder/journal'
import { idOf, type Subject, type ControlPlaneCache } from '../cache/control-plane-cache'
import { Signal } from './signal'
import type { WorkloadRows } from './workloads'

export interface DetailSources {
  cache: ControlPlaneCache
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
    const { cache, rows, journal } = this.#sources
    this.#stops = [
      rows.touched.listen((id) => this.touched.emit(id)),
      journal.placementTouched.listen((id) => this.touched.emit(id)),
      cache.rebalancers.onChange((change) => {
        const targets = (change.type === 'deleted' ? change.old : change.object).spec.workloads
        for (const target of targets) this.touched.emit(workloadId(target))
      }),
      cache.clusters.onChange(({ type }) => this.allTouched.emit(type)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** To be called when a page is opened. */
  open(): void {
    if (this.#followsEvents) return
    this.#followsEvents = true
    const events = this.#sources.cache.events()
    this.#stops.push(events.onChange((change) => this.#onEvent(change.type === 'deleted' ? change.old : change.object)))
  }

  /** To be called when a page is no longer kept. */
  close(id: string): void {
    this.#memo.forget(id)
  }

  /** The page, made of what the scope sees; undefined when there is no such workload for it. */
  page(id: string, scope: Scope = EVERYTHING): WorkloadDetailView | undefined {
    const { cache, rows, journal } = this.#sources
    const view = rows.row(id, scope)
    const binding = view && cache.bindingOf(id)
    if (!binding) return undefined
    const works = scope.seesAll(WORKS) ? cache.worksOf(binding) : []
    const rebalancers = scope.sees(REBALANCERS) ? cache.rebalancersOf(id) : []
    const noted = journal.changesOf(id)
    const placements = scope === EVERYTHING ? noted : noted.filter(({ at }) => seesWorkloadThen(scope, id, at))
    const clusters = scope.sees(CLUSTERS) ? cache.clusters.list() : []
    const policies = policiesSeen(cache.policiesOf(binding), scope)
    const events = subjectsOf(binding, works)
      .filter(({ namespace = 'default' }) => scope.sees({ ...EVENTS, namespace }))
      .map((subject) => cache.eventsAbout(subject))
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
        blockedBy: this.#blockedBy(binding, { clusters, policies }),
      })
    return scope === EVERYTHING ? this.#memo.get(id, inputs, project) : project()
  }

  #blockedBy(binding: AnyBinding, seen: Pick<BlockerFacts, 'clusters' | 'policies'>): BlockerView[] {
    const { clock, cache, failover: settings } = this.#sources
    if (seen.clusters.length === 0 && cache.clusters.list().length > 0) return [CLUSTERS_UNSEEN]
    return blockersOf(binding, { ...seen, now: clock.now(), ...(settings && { settings }) }).map(projectBlocker)
  }

  #onEvent({ involvedObject }: Event): void {
    const { apiVersion = '', kind = '', namespace, name = '' } = involvedObject
    const { cache } = this.#sources
    if (kind === 'ResourceBinding' || kind === 'ClusterResourceBinding') {
      const binding = cache.bindingByKey(kind, keyOf({ namespace, name }))
      return binding && this.touched.emit(idOf(binding))
    }
    if (kind !== 'Work') return this.touched.emit(workloadId({ apiVersion, kind, namespace, name }))
    const work = cache.works.get(keyOf({ namespace, name }))
    for (const id of work ? cache.workloadsOfWork(work) : []) this.touched.emit(id)
  }
}

const CLUSTERS_UNSEEN: BlockerView = { reason: 'clustersUnseen', message: message('failover.blocker.clustersUnseen') }

const POLICIES = [resourceOf(propagationPolicy), resourceOf(clusterPropagationPolicy)] as const

/** Policies that the scope sees. */
export function policiesSeen<P extends { metadata: { namespace?: string } }>(
  policies: readonly P[],
  scope: Scope,
): P[] {
  return policies.filter(({ metadata: { namespace } }) =>
    scope.sees(namespace === undefined ? POLICIES[1] : { ...POLICIES[0], namespace }),
  )
}

/** What events of a workload may be about. */
function subjectsOf(binding: AnyBinding, works: readonly Work[]): Subject[] {
  const subjects = [binding, ...works].map(({ kind, metadata: { namespace, name } }) => ({ kind, namespace, name }))
  return [templateOf(binding), ...subjects]
}
