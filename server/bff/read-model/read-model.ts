/**
 * The control plane as one reader may see it. Views are built only from a `ReadModel`, so a view cannot contain what
 * its reader may not list: every check of a view's rights is here. The stream filters rows in `live/hub.ts`.
 */
import type { QueuePlan } from '@/lib/domain/queue'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Event } from '@/lib/kube/kinds/event'
import type { RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import type { Work } from '@/lib/kube/kinds/work'
import type { WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { WorkloadSpread } from '@/lib/kube/kinds/workload-spread'
import { parseKey } from '@/lib/kube/object'
import type { HeldView, WorkloadRef } from '@/lib/view/model'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { emptyLoad, LOAD_FIELDS, type LoadInCluster } from '@/lib/view/project/cluster-load'
import type { Answers } from '@/lib/view/project/replica-counts'
import type { Scope } from '../access/access'
import * as resources from '../access/resources'
import { EVERYTHING } from '../access/scope'
import type { ClusterLoads } from '../cache/cluster-loads'
import { idOf, type ControlPlaneCache, type Subject } from '../cache/control-plane-cache'
import type { DriftCache } from '../cache/drift-cache'
import type { ExpectedPlacements } from '../cache/expected-placements'
import type { QueuePlanCache } from '../cache/queue-plan-cache'
import type { ReadinessCache } from '../cache/readiness-cache'
import type { Journal } from '../recorder/journal'
import { heldAsSeen } from './held-narrow'

/** All facts, observed or computed. An absent optional part is shown to no user. */
export interface KnownFacts {
  cache: ControlPlaneCache
  readiness: ReadinessCache
  loads?: ClusterLoads | undefined
  journal?: Journal | undefined
  queues?: QueuePlanCache | undefined
  drifts?: DriftCache | undefined
  expected?: ExpectedPlacements | undefined
}

export type { Subject }

type Policy = ReturnType<ControlPlaneCache['policiesOf']>[number]
type Journaled<M extends 'changesOf' | 'rebalanceSince' | 'ignoredTrigger'> = ReturnType<Journal[M]>

const NOTHING: readonly never[] = []

/** One read model for each scope; views request it for every row. */
export class ReadModels {
  readonly #facts: KnownFacts
  readonly #byScope = new WeakMap<Scope, ReadModel>()

  constructor(facts: KnownFacts) {
    this.#facts = facts
  }

  of(scope: Scope): ReadModel {
    const known = this.#byScope.get(scope)
    if (known) return known
    const model = new ReadModel(this.#facts, scope)
    this.#byScope.set(scope, model)
    return model
  }
}

export class ReadModel {
  /** The same text for the same rights. */
  readonly key: string
  /** True for readers who see everything: they share one result. */
  readonly isUnrestricted: boolean
  readonly seesAllWorkloads: boolean
  readonly seesClusters: boolean
  readonly seesAllQueues: boolean
  readonly #facts: KnownFacts
  readonly #scope: Scope
  readonly #seesWorks: boolean
  readonly #seesRebalancers: boolean
  readonly #seesPlans: boolean

  constructor(facts: KnownFacts, scope: Scope) {
    this.#facts = facts
    this.#scope = scope
    this.key = scope.key
    this.isUnrestricted = scope === EVERYTHING
    this.seesAllWorkloads = resources.seesAllWorkloads(scope)
    this.seesClusters = scope.sees(resources.CLUSTERS)
    this.seesAllQueues = scope.seesAll(resources.QUEUES)
    this.#seesWorks = scope.seesAll(resources.WORKS)
    this.#seesRebalancers = scope.sees(resources.REBALANCERS)
    this.#seesPlans = scope.sees(resources.PLANS)
  }

  seesWorkload(id: string): boolean {
    return this.seesAllWorkloads || this.#scope.sees(resources.placeOfWorkload(id))
  }

  /** Like `seesWorkload`, for records of the workload from that time. */
  seesWorkloadThen(id: string, at: string): boolean {
    return this.isUnrestricted || resources.seesWorkloadThen(this.#scope, id, at)
  }

  /** Reports whether workloads of that namespace are visible; the empty namespace means cluster-scoped workloads. */
  seesWorkloadsIn = (namespace: string): boolean =>
    this.seesAllWorkloads
    || this.#scope.sees(namespace === '' ? resources.CLUSTER_BINDINGS : { ...resources.BINDINGS, namespace })

  /** Returns the binding of a workload. */
  binding(id: string): AnyBinding | undefined {
    const binding = this.#facts.cache.bindingOf(id)
    return binding && this.seesWorkload(id) ? binding : undefined
  }

  /** Returns the bindings of both kinds. */
  bindings(): AnyBinding[] {
    return this.#seen(this.#facts.cache.bindings())
  }

  /** Returns the bindings that are placed, evicted or required in a cluster. */
  bindingsIn(cluster: string): AnyBinding[] {
    return this.#seen(this.#facts.cache.bindingsIn(cluster))
  }

  #seen(bindings: AnyBinding[]): AnyBinding[] {
    return this.seesAllWorkloads ? bindings : bindings.filter((binding) => this.seesWorkload(idOf(binding)))
  }

  /** Returns the binding of an object, regardless of the version that the policy names, and the id of its workload. */
  bindingAbout(object: WorkloadRef): { id: string; binding: AnyBinding } | undefined {
    const binding = this.#facts.cache.bindingAbout(object)
    const id = binding && idOf(binding)
    return id !== undefined && this.seesWorkload(id) ? { id, binding: binding as AnyBinding } : undefined
  }

  /** Returns the Works of a binding; undefined where Works cannot be read, so that the binding itself is used. */
  works(binding: AnyBinding): readonly Work[] | undefined {
    const { cache } = this.#facts
    return this.#seesWorks && cache.knowsWorks ? cache.worksOf(binding) : undefined
  }

  /** Which kinds can be read now besides the bindings; every view depends on it. */
  get reads(): string {
    const { knowsWorks, knowsClusters } = this.#facts.cache
    return `${this.#seesWorks && knowsWorks ? 'works' : ''} ${this.seesClusters && knowsClusters ? 'clusters' : ''}`
  }

  /** Returns the readiness of the clusters; undefined where Clusters cannot be read. */
  answers(): ReadonlyMap<string, Answers> | undefined {
    const { cache, readiness } = this.#facts
    return this.seesClusters && cache.knowsClusters ? readiness.current() : undefined
  }

  cluster(name: string): Cluster | undefined {
    return this.seesClusters ? this.#facts.cache.clusters.get(name) : undefined
  }

  clusters(): readonly Cluster[] {
    return this.seesClusters ? this.#facts.cache.clusters.list() : NOTHING
  }

  /** Reports whether there are clusters that the reader may not list. */
  hidesClusters(): boolean {
    return !this.seesClusters && this.#facts.cache.clusters.list().length > 0
  }

  /** Returns the load of a cluster by the workloads that the reader sees. */
  load(cluster: string): LoadInCluster {
    const sum = emptyLoad()
    for (const [namespace, load] of this.#facts.loads?.of(cluster) ?? NOTHING) {
      if (!this.seesWorkloadsIn(namespace)) continue
      for (const field of LOAD_FIELDS) sum[field] += load[field]
    }
    return sum
  }

  policiesOf(binding: AnyBinding): Policy[] {
    return this.#facts.cache.policiesOf(binding).filter(({ metadata: { namespace } }) => this.#seesPolicy(namespace))
  }

  #seesPolicy(namespace: string | undefined): boolean {
    return this.#scope.sees(
      namespace === undefined ? resources.CLUSTER_POLICIES : { ...resources.PROPAGATION_POLICIES, namespace },
    )
  }

  /** Returns a policy by `namespace/name`, or a ClusterPropagationPolicy by its name. */
  policy(id: string): Policy | undefined {
    const policy = this.#facts.cache.policy(id)
    return policy && this.#seesPolicy(policy.metadata.namespace) ? policy : undefined
  }

  /** Returns the policies of both kinds. */
  policies(): Policy[] {
    return this.#facts.cache.policies().filter(({ metadata: { namespace } }) => this.#seesPolicy(namespace))
  }

  /** Returns the bindings that a policy claimed. */
  bindingsOfPolicy(id: string): AnyBinding[] {
    return this.#seen(this.#facts.cache.bindingsOfPolicy(id))
  }

  rebalancer(name: string): WorkloadRebalancer | undefined {
    return this.#seesRebalancers ? this.#facts.cache.rebalancers.get(name) : undefined
  }

  rebalancersOf(workload: string): readonly WorkloadRebalancer[] {
    return this.#seesRebalancers ? this.#facts.cache.rebalancersOf(workload) : NOTHING
  }

  plan(name: string): RebalancePlanObject | undefined {
    return this.#seesPlans ? this.#facts.cache.plans.get(name) : undefined
  }

  /** Returns the plans that undo this one. */
  undoingPlans(name: string): readonly RebalancePlanObject[] {
    return this.#seesPlans ? this.#facts.cache.undoingPlans(name) : NOTHING
  }

  spread(id: string): WorkloadSpread | undefined {
    const spread = this.#facts.cache.spreads.get(id)
    return spread && this.#scope.sees({ ...resources.SPREADS, namespace: spread.metadata.namespace ?? '' })
      ? spread
      : undefined
  }

  /**
   * Returns a queue of the plan by `namespace/name`. It contains the names of all its workloads: see `seesWorkloadsIn`.
   */
  queue(id: string): QueuePlan | undefined {
    const { namespace = '' } = parseKey(id)
    return this.#scope.sees({ ...resources.QUEUES, namespace }) ? this.#facts.queues?.queue(id) : undefined
  }

  /** Returns what prevents the scheduling of a binding; the queue is included only for readers who may list it. */
  held(binding: AnyBinding): HeldView | undefined {
    return heldAsSeen(this.#facts.queues?.held(binding), (namespace) =>
      this.#scope.sees({ ...resources.QUEUES, namespace }),
    )
  }

  /** Returns the number of replicas that a rebalance would move. */
  drift(workload: string): number | undefined {
    return this.#facts.drifts?.drift(workload)
  }

  /** Returns the Events about an object; undefined where Events may not be listed. */
  eventsAbout(subject: Subject): readonly Event[] | undefined {
    const { namespace = 'default' } = subject
    return this.#scope.sees({ ...resources.EVENTS, namespace }) ? this.#facts.cache.eventsAbout(subject) : undefined
  }

  placementChanges(workload: string): Journaled<'changesOf'> {
    const changes = this.#facts.journal?.changesOf(workload) ?? NOTHING
    return this.isUnrestricted ? changes : changes.filter(({ at }) => this.seesWorkloadThen(workload, at))
  }

  ignoredTrigger(workload: string): Journaled<'ignoredTrigger'> {
    return this.seesWorkload(workload) ? this.#facts.journal?.ignoredTrigger(workload) : undefined
  }

  /** Returns where the scheduler should place a triggered workload; undefined where clusters cannot be read. */
  expectedPlacement(workload: string): ReturnType<ExpectedPlacements['of']> {
    return this.seesClusters && this.seesWorkload(workload) ? this.#facts.expected?.of(workload) : undefined
  }

  rebalanceSince(workload: string, { metadata }: WorkloadRebalancer): Journaled<'rebalanceSince'> {
    return this.seesWorkload(workload) ? this.#facts.journal?.rebalanceSince(workload, metadata) : undefined
  }
}
