/**
 * Caches filter results for many requests over the same clusters, computed once per shape of a request.
 *
 * The shape is the placement and the kind of the workload. Otherwise, filters read only the clusters where the workload
 * runs, which it is being evicted from, and where it is blocked. The result for a shape is therefore valid for all
 * clusters except these and except clusters with changed taints. Labels, locations and APIs of clusters must not
 * change.
 */
import type { Placement } from '@/lib/kube/kinds/placement'
import type { ClusterFacts, ClusterSnapshot } from '../facts'
import { isWorkload, type PlacementRequest, Positions } from '../request'
import { filterClusters, type FilterVerdict, recheckClusters } from './index'

export class FilterMemo {
  readonly #feasible = new Map<string, readonly number[]>()
  readonly #idByObject = new WeakMap<Placement, number>()
  readonly #idByText = new Map<string, number>()

  constructor(private readonly base: ClusterSnapshot) {}

  /** Returns the result of `filterClusters`; rejections are given only if no cluster is feasible. */
  readonly filter = (clusters: readonly ClusterFacts[], request: PlacementRequest): FilterVerdict => {
    if (request.neighbours) return filterClusters(clusters, request)
    const special = this.#specialOf(clusters, request)
    const regular = this.#feasibleByShape(request).filter((at) => !special.has(at))
    const feasible = [...regular, ...recheckClusters(clusters, request, special)]
    if (feasible.length === 0) return filterClusters(clusters, request)
    return { feasible: feasible.length > regular.length ? feasible.sort((a, b) => a - b) : feasible, rejections: [] }
  }

  #specialOf(clusters: readonly ClusterFacts[], { spec, blocked }: PlacementRequest): Set<number> {
    const special = new Set<number>()
    const add = (cluster: string): void => {
      const rank = this.base.ranks.get(cluster)
      if (rank !== undefined) special.add(rank)
    }
    for (const { name } of spec.clusters ?? []) add(name)
    for (const { fromCluster } of spec.gracefulEvictionTasks ?? []) add(fromCluster)
    for (const cluster of blocked ?? []) add(cluster)
    const { facts } = this.base
    for (let at = 0; at < facts.length; at += 1) if (facts[at]!.taints !== clusters[at]!.taints) special.add(at)
    return special
  }

  #feasibleByShape(request: PlacementRequest): readonly number[] {
    const { apiVersion, kind } = request.spec.resource
    const shape = `${this.#idOf(request.placement)} ${isWorkload(request.spec)} ${apiVersion} ${kind} ${request.affinityName}`
    const known = this.#feasible.get(shape)
    if (known) return known
    const { blocked: _blocked, ...rest } = request
    const { gracefulEvictionTasks: _tasks, ...spec } = request.spec
    const { feasible } = filterClusters(this.base.facts, { ...rest, spec, positions: new Positions() })
    this.#feasible.set(shape, feasible)
    return feasible
  }

  #idOf(placement: Placement): number {
    const known = this.#idByObject.get(placement)
    if (known !== undefined) return known
    const text = JSON.stringify(placement)
    const id = this.#idByText.get(text) ?? this.#idByText.size
    this.#idByText.set(text, id)
    this.#idByObject.set(placement, id)
    return id
  }
}
