/** The objects of the control plane that the console reads: informers, with the indexes that the views need. */
import { targetsOf } from '@/lib/domain/rebalance'
import { type Kind, resourceName } from '@/lib/kube/kind'
import { cluster, type Cluster } from '@/lib/kube/kinds/cluster'
import { clusterResourceBinding } from '@/lib/kube/kinds/cluster-resource-binding'
import { event, type Event } from '@/lib/kube/kinds/event'
import { federatedResourceQuota, type FederatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import { priorityClass, type PriorityClass } from '@/lib/kube/kinds/priority-class'
import { queue, type QueueObject } from '@/lib/kube/kinds/queue'
import { clusterPropagationPolicy, type ClusterPropagationPolicy } from '@/lib/kube/kinds/cluster-propagation-policy'
import { propagationPolicy, type PropagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import { rebalancePlan, type RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { work, type Work } from '@/lib/kube/kinds/work'
import { workloadRebalancer, type WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { workloadSpread, type WorkloadSpread } from '@/lib/kube/kinds/workload-spread'
import { keyOf, type KubeObject, type ObjectKey } from '@/lib/kube/object'
import { type EpochMs, formatTime, type Stop } from '@/lib/std/clock'
import type { WorkloadRef } from '@/lib/view/model'
import {
  type AnyBinding,
  permanentIdOf,
  policyOf,
  requiredClusters,
  templateOf,
} from '@/lib/view/project/binding-facts'
import { policyId } from '@/lib/view/policy-model'
import { workloadId } from '@/lib/view/workload-id'
import type { Change, Freshness as CopyFreshness, Informer, Informers } from '@/server/kube/informer'
import type { ApiServerProbe } from '@/server/kube/api-server-probe'
import { ServedInformer } from './served-informer'
import { allServed, type ConsoleUnread, type ServedKinds } from './served-kinds'
import { type Freshness, SILENT, staleReason } from './stale-reason'

/** A constant, so that the identity is stable like that of the lists of an index. */
const NO_WORKS: readonly Work[] = []

/** Every kind that the console reads, in the order of the About page. */
export const KINDS_READ: readonly Kind[] = [
  cluster,
  resourceBinding,
  clusterResourceBinding,
  work,
  workloadRebalancer,
  rebalancePlan,
  propagationPolicy,
  clusterPropagationPolicy,
  workloadSpread,
  queue,
  federatedResourceQuota,
  priorityClass,
  event,
] as unknown as Kind[]

const BY_WORKLOAD = 'workload'
const BY_TARGET = 'target'
const BY_BINDING = 'binding'
const BY_CLUSTER = 'cluster'
const BY_SUBJECT = 'subject'
const BY_UNDONE = 'undone'
const BY_OBJECT = 'object'
const BY_POLICY = 'policy'

export class ControlPlaneCache {
  readonly clusters: Informer<Cluster>
  readonly works: Informer<Work>
  readonly rebalancers: Informer<WorkloadRebalancer>
  readonly plans: Informer<RebalancePlanObject>
  readonly spreads: Informer<WorkloadSpread>
  readonly queues: Informer<QueueObject>
  readonly quotas: Informer<FederatedResourceQuota>
  readonly priorityClasses: Informer<PriorityClass>
  readonly #policies: readonly [Informer<PropagationPolicy>, Informer<ClusterPropagationPolicy>]
  readonly #bindings: readonly Informer<AnyBinding>[]
  readonly #of: <T extends KubeObject>(kind: Kind<T>) => Informer<T>
  readonly #probe: ApiServerProbe | undefined
  readonly #served: ServedKinds
  readonly #followed = new Map<string, ServedInformer<never>>()
  readonly #unreadHandlers = new Set<() => void>()
  #events: Informer<Event> | undefined

  /**
   * Kinds that are not served count as empty until they are. `apiServerProbe` shows whether the server answers at all.
   */
  constructor(informers: Informers, served: ServedKinds = allServed, apiServerProbe?: ApiServerProbe) {
    this.#probe = apiServerProbe
    this.#served = served
    // Before the caches are notified: an uninstalled kind is reported as not served, not as having lost its objects.
    served.onChange(() => this.#notifyUnread())
    this.#of = (kind) => (served === allServed ? informers.of(kind) : this.#follow(kind, informers))
    this.clusters = this.#of(cluster)
    this.works = this.#of(work)
    this.rebalancers = this.#of(workloadRebalancer)
    this.plans = this.#of(rebalancePlan)
    this.spreads = this.#of(workloadSpread)
    this.queues = this.#of(queue)
    this.quotas = this.#of(federatedResourceQuota)
    this.priorityClasses = this.#of(priorityClass)
    this.#bindings = [this.#of(resourceBinding), this.#of(clusterResourceBinding)] as unknown as Informer<AnyBinding>[]
    this.#policies = [this.#of(propagationPolicy), this.#of(clusterPropagationPolicy)]
    this.#addIndexes()
  }

  /** False when Works cannot be read; the reports in the bindings then decide. */
  get knowsWorks(): boolean {
    return isRead(this.works)
  }

  get knowsClusters(): boolean {
    return isRead(this.clusters)
  }

  /** False while Queues cannot be read; no queue is reported as missing then. */
  get knowsQueues(): boolean {
    return isRead(this.queues)
  }

  /** Returns the reason why a kind cannot be read; undefined when all its objects are cached. */
  whyUnread(kind: Kind): ConsoleUnread | undefined {
    const why = this.#served.whyUnread(kind)
    if (why !== undefined) return why
    return this.#followed.get(resourceName(kind))?.isRead === false ? 'NotKnown' : undefined
  }

  /** Called when `whyUnread` may answer otherwise. */
  onUnreadChange(handler: () => void): Stop {
    const own = (): void => handler()
    this.#unreadHandlers.add(own)
    return () => void this.#unreadHandlers.delete(own)
  }

  /** Returns the binding of a workload. */
  bindingOf(id: string): AnyBinding | undefined {
    return this.#find(BY_WORKLOAD, id)[0]
  }

  /** Returns the binding of an object, regardless of the version that the policy names. */
  bindingAbout(object: WorkloadRef): AnyBinding | undefined {
    return this.#find(BY_OBJECT, objectKeyOf(object))[0]
  }

  /** Returns the spreads of a workload, regardless of the version that they name. */
  spreadsOf(workload: WorkloadRef): readonly WorkloadSpread[] {
    return this.spreads.byIndex(BY_OBJECT, objectKeyOf(workload))
  }

  /** Returns the namespaced bindings. Cluster-scoped bindings cannot be in a queue. */
  resourceBindings(): readonly ResourceBinding[] {
    return this.#bindings[0]!.list() as readonly ResourceBinding[]
  }

  /** Returns a binding by kind and key. */
  bindingByKey(kind: 'ResourceBinding' | 'ClusterResourceBinding', key: ObjectKey): AnyBinding | undefined {
    return this.#bindings[kind === 'ResourceBinding' ? 0 : 1]?.get(key)
  }

  /** Returns the bindings of both kinds. */
  bindings(): AnyBinding[] {
    return this.#bindings.flatMap((informer) => [...informer.list()])
  }

  /** Returns the bindings that place or evict a workload in a cluster, or are required there. */
  bindingsIn(clusterName: string): AnyBinding[] {
    return this.#find(BY_CLUSTER, clusterName)
  }

  /** Returns the ids of the workloads that a Work belongs to: one, or none while its binding is missing. */
  workloadsOfWork(subject: Work): string[] {
    const id = permanentIdOf(subject)
    return id === undefined ? [] : this.#find(BY_BINDING, id).map(idOf)
  }

  /** Returns the Works of a binding; the same array until one of them changes. */
  worksOf(binding: AnyBinding): readonly Work[] {
    const id = permanentIdOf(binding)
    return id === undefined ? NO_WORKS : this.works.byIndex(BY_BINDING, id)
  }

  /** Returns the rebalancers that name a workload. */
  rebalancersOf(id: string): readonly WorkloadRebalancer[] {
    return this.rebalancers.byIndex(BY_WORKLOAD, id)
  }

  /** Returns the rebalancers whose spec or status lists a workload. */
  rebalancersListing(id: string): readonly WorkloadRebalancer[] {
    return this.rebalancers.byIndex(BY_TARGET, id)
  }

  /** Returns the plans that undo this one. */
  undoingPlans(name: string): readonly RebalancePlanObject[] {
    return this.plans.byIndex(BY_UNDONE, name)
  }

  /** Returns the policies of both kinds. */
  policies(): (PropagationPolicy | ClusterPropagationPolicy)[] {
    return this.#policies.flatMap((informer) => [...informer.list()])
  }

  /** Returns the Events about an object. No Events are read before the first call. */
  eventsAbout(subject: Subject): readonly Event[] {
    return this.events().byIndex(BY_SUBJECT, subjectKey(subject))
  }

  /** Returns the informer of Events, which starts with the first call, because most pages do not need it. */
  events(): Informer<Event> {
    if (this.#events) return this.#events
    this.#events = this.#of(event)
    this.#events.addIndex(BY_SUBJECT, ({ involvedObject }) => [subjectKey(involvedObject)])
    return this.#events
  }

  /** Returns the policy that claimed the template of a binding, if it exists. */
  policiesOf(binding: AnyBinding): (PropagationPolicy | ClusterPropagationPolicy)[] {
    const policy = policyOf(binding)
    const [namespaced, clusterWide] = this.#policies
    if (!policy) return []
    const { kind, namespace, name } = policy
    const found = kind === 'PropagationPolicy' ? namespaced.get(keyOf({ namespace, name })) : clusterWide.get(name)
    return found ? [found] : []
  }

  /** Returns a policy by `namespace/name`, or a ClusterPropagationPolicy by its name. */
  policy(id: string): PropagationPolicy | ClusterPropagationPolicy | undefined {
    const [namespaced, clusterWide] = this.#policies
    return id.includes('/') ? namespaced.get(id as ObjectKey) : clusterWide.get(id)
  }

  /** Returns the bindings that a policy claimed. */
  bindingsOfPolicy(id: string): AnyBinding[] {
    return this.#find(BY_POLICY, id)
  }

  onPolicyChange(handler: (change: Change<PropagationPolicy | ClusterPropagationPolicy>) => void): Stop {
    return all(this.#policies.map((informer) => informer.onChange(handler as never)))
  }

  onBindingChange(handler: (change: Change<AnyBinding>) => void): Stop {
    return all(this.#bindings.map((informer) => informer.onChange(handler)))
  }

  hasSynced(): boolean {
    return this.#copies().every((copy) => copy.hasSynced())
  }

  async whenSynced(): Promise<void> {
    await Promise.all(this.#copies().map((copy) => copy.whenSynced()))
  }

  /** Returns the state of each cache, for callers that wait for one of them. */
  copies(): { resource: string; synced: boolean; staleSince?: EpochMs }[] {
    return this.#copies().map((copy) => {
      const { group, plural } = copy.kind
      const freshness = copy.freshness()
      return {
        resource: group === '' ? plural : `${plural}.${group}`,
        synced: copy.hasSynced(),
        ...(freshness.state === 'stale' && { staleSince: freshness.since }),
      }
    })
  }

  /** Returns the freshness of all caches together: that of the worst one. */
  freshness(): Freshness {
    const silentSince = this.#probe?.silentSince()
    if (silentSince !== undefined) return { state: 'stale', since: formatTime(silentSince), error: SILENT }
    const states = this.#freshnesses()
    const stale = longestStale(states)
    if (stale) return { state: 'stale', since: formatTime(stale.since), error: staleReason(stale) }
    return { state: states.some((state) => state.state === 'syncing') ? 'syncing' : 'live' }
  }

  /** Returns the freshness of the cache that is stale for longest; undefined if none is. */
  stale(): StaleCopy | undefined {
    return longestStale(this.#freshnesses())
  }

  onFreshness(handler: () => void): Stop {
    const stops = this.#copies().map((copy) => copy.onFreshness(handler))
    return all([...stops, this.#probe?.onChange(handler) ?? (() => undefined)])
  }

  #follow<T extends KubeObject>(kind: Kind<T>, informers: Informers): Informer<T> {
    const followed = new ServedInformer(kind, informers, this.#served)
    this.#followed.set(resourceName(kind), followed as unknown as ServedInformer<never>)
    followed.onRead(() => this.#notifyUnread())
    return followed
  }

  #notifyUnread(): void {
    for (const handler of this.#unreadHandlers) handler()
  }

  #freshnesses(): CopyFreshness[] {
    return this.#copies().map((copy) => copy.freshness())
  }

  #copies(): readonly Informer<KubeObject>[] {
    return [
      this.clusters,
      this.works,
      this.rebalancers,
      this.plans,
      this.spreads,
      this.queues,
      this.quotas,
      this.priorityClasses,
      ...this.#policies,
      ...this.#bindings,
    ] as unknown as Informer<KubeObject>[]
  }

  #find(index: string, value: string): AnyBinding[] {
    return this.#bindings.flatMap((informer) => informer.byIndex(index, value))
  }

  #addIndexes(): void {
    for (const informer of this.#bindings) {
      informer.addIndex(BY_WORKLOAD, (binding) => [idOf(binding)])
      informer.addIndex(BY_OBJECT, (binding) => [objectKeyOf(templateOf(binding))])
      informer.addIndex(BY_BINDING, byPermanentId)
      informer.addIndex(BY_CLUSTER, clustersOf)
      informer.addIndex(BY_POLICY, (binding) => {
        const policy = policyOf(binding)
        return policy ? [policyId(policy)] : []
      })
    }
    this.works.addIndex(BY_BINDING, byPermanentId)
    this.rebalancers.addIndex(BY_WORKLOAD, ({ spec }) => spec.workloads.map(workloadId))
    this.rebalancers.addIndex(BY_TARGET, targetIdsOf)
    this.spreads.addIndex(BY_OBJECT, ({ metadata: { namespace }, spec }) =>
      spec ? [objectKeyOf({ ...spec.targetRef, namespace })] : [],
    )
    this.plans.addIndex(BY_UNDONE, ({ spec }) => (spec.undoOf === undefined ? [] : [spec.undoOf]))
  }
}

/** The object of an Event. */
export interface Subject {
  kind?: string
  namespace?: string
  name?: string
}

const isRead = (informer: object): boolean => !(informer instanceof ServedInformer) || informer.isRead

/** Returns the id of the workload of a binding. */
export const idOf = (binding: AnyBinding): string => workloadId(templateOf(binding))

/** Returns the ids of the workloads that a rebalancer names, and of former ones in its status. */
export function targetIdsOf(rebalancer: WorkloadRebalancer): string[] {
  return [...targetsOf(rebalancer).values()].map(workloadId)
}

/** Returns the clusters in which a binding is placed, evicted or required. */
export function clustersOf(binding: AnyBinding): string[] {
  const placed = (binding.spec.clusters ?? []).map(({ name }) => name)
  const evicted = (binding.spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster)
  return [...new Set([...placed, ...evicted, ...requiredClusters(binding)])]
}

/** Returns group, kind, namespace and name: the identity of an object, regardless of its version. */
function objectKeyOf({ apiVersion, kind, namespace = '', name }: WorkloadRef): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return [group, kind, namespace, name].join('/')
}

const subjectKey = ({ kind, namespace, name }: Subject): string => `${kind ?? ''}/${namespace ?? ''}/${name ?? ''}`

function all(stops: readonly Stop[]): Stop {
  return () => {
    for (const stop of stops) stop()
  }
}

function byPermanentId(object: AnyBinding | Work): string[] {
  const id = permanentIdOf(object)
  return id === undefined ? [] : [id]
}

type StaleCopy = Extract<CopyFreshness, { state: 'stale' }>

function longestStale(states: readonly CopyFreshness[]): StaleCopy | undefined {
  return states.filter((state) => state.state === 'stale').sort((a, b) => a.since - b.since)[0]
}
