/**
 * Returns the ids of the objects in the control plane and follows which ids a change affects. Views read objects only
 * through a `ReadModel`.
 */
import type { Event } from '@/lib/kube/kinds/event'
import { executionSpaceOf } from '@/lib/kube/names'
import { keyOf, type KubeObject, objectKey } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import { sameStructure } from '@/lib/std/share-structure'
import type { WorkloadRef } from '@/lib/view/model'
import { policyId } from '@/lib/view/policy-model'
import { type AnyBinding, policyOf } from '@/lib/view/project/binding-facts'
import { workloadId } from '@/lib/view/workload-id'
import type { Change, Informer } from '@/server/kube/informer'
import { idOf, targetIdsOf, type ControlPlaneCache } from '../cache/control-plane-cache'

/** `isRemoved`: no object with that id exists any more. */
type OnId = (id: string, isRemoved: boolean) => void

const subjectOf = <T extends KubeObject>(change: Change<T>): T =>
  change.type === 'deleted' ? change.old : change.object

/** Listeners get every existing id when they begin, and every id that a change affects. */
export class ControlPlaneIds {
  readonly #cache: ControlPlaneCache

  constructor(cache: ControlPlaneCache) {
    this.#cache = cache
  }

  clusters = (): string[] => namesIn(this.#cache.clusters)
  rebalancers = (): string[] => namesIn(this.#cache.rebalancers)
  plans = (): string[] => namesIn(this.#cache.plans)
  /** By `namespace/name`. */
  spreads = (): string[] => this.#cache.spreads.list().map(objectKey)
  queues = (): string[] => this.#cache.queues.list().map(objectKey)
  workloads = (): string[] => this.#cache.bindings().map(idOf)
  policies = (): string[] => this.#cache.policies().map(({ metadata }) => policyId(metadata))

  /** Returns the workloads that are placed in a cluster or have Works for it. */
  workloadsIn(cluster: string): Iterable<string> {
    const ids = new Set(this.#cache.bindingsIn(cluster).map(idOf))
    for (const work of this.#cache.works.listNamespace(executionSpaceOf(cluster))) {
      for (const id of this.#cache.workloadsOfWork(work)) ids.add(id)
    }
    return ids
  }

  /** Returns the number of workloads that a rebalancer names. */
  targetCount(rebalancer: string): number {
    return this.#cache.rebalancers.get(rebalancer)?.spec.workloads.length ?? 0
  }

  /** Returns the number of workloads that the largest rebalancer names. */
  mostTargets(): number {
    return this.#cache.rebalancers.list().reduce((most, { spec }) => Math.max(most, spec.workloads.length), 0)
  }

  /** Returns the rebalancers that list a workload as a target, or did before. */
  rebalancersListing(workload: string): string[] {
    return this.#cache.rebalancersListing(workload).map(({ metadata }) => metadata.name)
  }

  spreadsOf(workload: WorkloadRef): string[] {
    return this.#cache.spreadsOf(workload).map(objectKey)
  }

  onCluster(notify: OnId): Stop {
    return this.#cache.clusters.onChange((change) => notify(subjectOf(change).metadata.name, change.type === 'deleted'))
  }

  /** Calls `notify` when the binding of a workload changed. */
  onWorkload(notify: OnId): Stop {
    return this.#cache.onBindingChange((change) => {
      const id = idOf(subjectOf(change))
      if (change.type === 'updated' && idOf(change.old) !== id) this.#notifyLeft(idOf(change.old), notify)
      if (change.type === 'deleted') this.#notifyLeft(id, notify)
      else notify(id, false)
    })
  }

  /** The workload may have another binding now. */
  #notifyLeft(id: string, notify: OnId): void {
    notify(id, this.#cache.bindingOf(id) === undefined)
  }

  /** Calls `notify` with the workload of each changed Work. `isNewManifest`: the manifest for the member changed. */
  onWork(notify: (workload: string, isNewManifest: boolean) => void): Stop {
    return this.#cache.works.onChange((change) => {
      const work = subjectOf(change)
      const isNewManifest = change.type === 'updated' && change.old.metadata.generation !== work.metadata.generation
      for (const id of this.#cache.workloadsOfWork(work)) notify(id, isNewManifest)
    })
  }

  onRebalancer(notify: OnId): Stop {
    return this.#cache.rebalancers.onChange((change) =>
      notify(subjectOf(change).metadata.name, change.type === 'deleted'),
    )
  }

  /** Calls `notify` with the workloads that a changed rebalancer names. */
  onRebalanced(notify: (workload: string) => void): Stop {
    return this.#cache.rebalancers.onChange((change) => {
      for (const target of subjectOf(change).spec.workloads) notify(workloadId(target))
    })
  }

  /** Calls `notify` with each target of a rebalancer that comes, goes, or names others than before. */
  onListing(notify: (workload: string) => void): Stop {
    return this.#cache.rebalancers.onChange((change) => {
      const before = change.type === 'added' ? undefined : change.old
      const after = change.type === 'deleted' ? undefined : change.object
      if (before && after && sameStructure(before.spec.workloads, after.spec.workloads)) return
      for (const rebalancer of [before, after]) if (rebalancer) targetIdsOf(rebalancer).forEach((id) => notify(id))
    })
  }

  /**
   * Calls `notify` with a changed plan, and with the plan that it undoes, because the possible actions on that plan
   * change too.
   */
  onPlan(notify: OnId): Stop {
    return this.#cache.plans.onChange((change) => {
      const { metadata, spec } = subjectOf(change)
      notify(metadata.name, change.type === 'deleted')
      if (spec.undoOf !== undefined) notify(spec.undoOf, this.#cache.plans.get(spec.undoOf) === undefined)
    })
  }

  onPolicy(notify: OnId): Stop {
    return this.#cache.onPolicyChange((change) =>
      notify(policyId(subjectOf(change).metadata), change.type === 'deleted'),
    )
  }

  /** Calls `notify` with the policies whose claimed workloads changed. */
  onClaimed(notify: (policy: string) => void): Stop {
    return this.#cache.onBindingChange((change) => {
      const bindings = [
        ...(change.type === 'added' ? [] : [change.old]),
        ...(change.type === 'deleted' ? [] : [change.object]),
      ]
      for (const id of new Set(bindings.flatMap((binding) => policyIdOf(binding) ?? []))) notify(id)
    })
  }

  /** Returns the policy that claimed a workload. */
  policyOfWorkload(workload: string): string | undefined {
    const binding = this.#cache.bindingOf(workload)
    return binding && policyIdOf(binding)
  }

  onSpread(notify: OnId): Stop {
    return this.#cache.spreads.onChange((change) => notify(objectKey(subjectOf(change)), change.type === 'deleted'))
  }

  /** Calls `notify` with the workload of a changed Event. Events are read from the first call on. */
  onEvent(notify: (workload: string) => void): Stop {
    return this.#cache.events().onChange((change) => {
      for (const id of this.#workloadsAbout(subjectOf(change))) notify(id)
    })
  }

  #workloadsAbout({ involvedObject }: Event): string[] {
    const { apiVersion = '', kind = '', namespace, name = '' } = involvedObject
    const key = keyOf({ namespace, name })
    if (kind === 'ResourceBinding' || kind === 'ClusterResourceBinding') {
      const binding = this.#cache.bindingByKey(kind, key)
      return binding ? [idOf(binding)] : []
    }
    if (kind !== 'Work') return [workloadId({ apiVersion, kind, namespace, name })]
    const work = this.#cache.works.get(key)
    return work ? this.#cache.workloadsOfWork(work) : []
  }
}

const namesIn = <T extends KubeObject>(informer: Informer<T>): string[] =>
  informer.list().map(({ metadata }) => metadata.name)

function policyIdOf(binding: AnyBinding): string | undefined {
  const policy = policyOf(binding)
  return policy && policyId(policy)
}
