/** The rows of the clusters, with what was scheduled to each. */
import type { Stop } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import type { ClusterView } from '@/lib/view/model'
import { type AnyBinding, hasReplicas } from '@/lib/view/project/binding-facts'
import { type ClusterLoad, projectCluster } from '@/lib/view/project/cluster'
import { ProjectionMemo } from '@/lib/view/project/memo'
import type { Change } from '@/server/kube/informer'
import type { Scope } from '../access/access'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTERS, seesAllWorkloads } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import type { World } from '../world/world'
import { Signal } from './signal'

const NO_LOAD: ClusterLoad = { workloads: 0, replicas: 0 }

/** By namespace; the empty one is that of workloads without. */
type Loads = ReadonlyMap<string, ClusterLoad>

const NO_LOADS: Loads = new Map()

/** Rows by cluster name; `touched` tells which may have changed. Loads are counted up and down, never by a scan. */
export class ClusterRows {
  readonly touched = new Signal()
  readonly #memo = new ProjectionMemo<ClusterView>()
  readonly #loads = new Map<string, Map<string, ClusterLoad>>()
  readonly #world: World
  #stops: Stop[] = []

  constructor(world: World) {
    this.#world = world
  }

  start(): void {
    this.#stops = [
      this.#world.clusters.onChange((change) =>
        this.touched.emit((change.type === 'deleted' ? change.old : change.object).metadata.name)),
      this.#world.onBindingChange((change) => this.#onBinding(change)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Ids of all rows. */
  ids(): string[] {
    return this.#world.clusters.list().map(({ metadata }) => metadata.name)
  }

  /** The row, which counts only the workloads that the scope sees; undefined when there is no such cluster for it. */
  row(name: string, scope: Scope = EVERYTHING): ClusterView | undefined {
    const cluster = this.#world.clusters.get(name)
    if (!cluster) {
      this.#memo.forget(name)
      return undefined
    }
    if (!scope.sees(CLUSTERS)) return undefined
    const { workloads, replicas } = sumOf(this.#loads.get(name) ?? NO_LOADS, scope)
    if (!seesAllWorkloads(scope)) return projectCluster(cluster, { workloads, replicas })
    return this.#memo.get(name, [cluster, workloads, replicas], () => projectCluster(cluster, { workloads, replicas }))
  }

  #onBinding(change: Change<AnyBinding>): void {
    if (change.type === 'updated' && deepEqual(change.old.spec.clusters, change.object.spec.clusters)) return
    if (change.type !== 'added') this.#count(change.old, -1)
    if (change.type !== 'deleted') this.#count(change.object, 1)
  }

  #count(binding: AnyBinding, sign: 1 | -1): void {
    const counted = hasReplicas(binding)
    const { namespace = '' } = binding.metadata
    for (const { name, replicas = 0 } of binding.spec.clusters ?? []) {
      const loads = this.#loads.get(name) ?? new Map<string, ClusterLoad>()
      const load = loads.get(namespace) ?? NO_LOAD
      const next = { workloads: load.workloads + sign, replicas: load.replicas + (counted ? sign * replicas : 0) }
      if (next.workloads === 0) loads.delete(namespace)
      else loads.set(namespace, next)
      this.#loads.set(name, loads)
      this.touched.emit(name)
    }
  }
}

/** Of the namespaces that the scope sees. */
function sumOf(loads: Loads, scope: Scope): ClusterLoad {
  let [workloads, replicas] = [0, 0]
  for (const [namespace, load] of loads) {
    if (!scope.sees(namespace === '' ? CLUSTER_BINDINGS : { ...BINDINGS, namespace })) continue
    workloads += load.workloads
    replicas += load.replicas
  }
  return { workloads, replicas }
}
