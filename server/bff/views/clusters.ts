/** The rows of the clusters, with what was scheduled to each and what runs of it. */
import type { Stop } from '@/lib/std/clock'
import type { ClusterView } from '@/lib/view/model'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import { type ClusterLoad, projectCluster } from '@/lib/view/project/cluster'
import { emptyLoad, LOAD_FIELDS, loadsOf, type LoadInCluster as Load } from '@/lib/view/project/cluster-load'
import { ProjectionMemo } from '@/lib/view/project/memo'
import { withoutZeros } from '@/lib/view/replica-sums'
import type { Change } from '@/server/kube/informer'
import type { Scope } from '../access/access'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTERS, seesAllWorkloads } from '../access/resources'
import { EVERYTHING } from '../access/scope'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { ReadinessCache } from './readiness-cache'
import { Signal } from './signal'

/** By namespace; the empty one is that of workloads without. */
type Loads = ReadonlyMap<string, Load>

const NO_LOADS: Loads = new Map()

/** Rows by cluster name; `touched` tells which may have changed. Loads are counted up and down, never by a scan. */
export class ClusterRows {
  readonly touched = new Signal()
  readonly #memo = new ProjectionMemo<ClusterView>()
  readonly #loads = new Map<string, Map<string, Load>>()
  readonly #cache: ControlPlaneCache
  readonly #readiness: ReadinessCache
  #stops: Stop[] = []

  constructor(cache: ControlPlaneCache, readiness: ReadinessCache) {
    this.#cache = cache
    this.#readiness = readiness
  }

  start(): void {
    this.#stops = [
      this.#cache.clusters.onChange((change) =>
        this.touched.emit((change.type === 'deleted' ? change.old : change.object).metadata.name),
      ),
      this.#cache.onBindingChange((change) => this.#onBinding(change)),
      this.#readiness.touched.listen((name) => this.touched.emit(name)),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Ids of all rows. */
  ids(): string[] {
    return this.#cache.clusters.list().map(({ metadata }) => metadata.name)
  }

  /** The row, which counts only the workloads that the scope sees; undefined when there is no such cluster for it. */
  row(name: string, scope: Scope = EVERYTHING): ClusterView | undefined {
    const cluster = this.#cache.clusters.get(name)
    if (!cluster) {
      this.#memo.forget(name)
      return undefined
    }
    if (!scope.sees(CLUSTERS)) return undefined
    const sum = sumOf(this.#loads.get(name) ?? NO_LOADS, scope)
    const answers = this.#readiness.current().get(name)
    if (!seesAllWorkloads(scope)) return projectCluster(cluster, toLoad(sum), answers)
    const inputs = [cluster, answers, ...LOAD_FIELDS.map((field) => sum[field])]
    return this.#memo.get(name, inputs, () => projectCluster(cluster, toLoad(sum), answers))
  }

  #onBinding(change: Change<AnyBinding>): void {
    const before = change.type === 'added' ? NO_LOADS : loadsOf(change.old)
    const after = change.type === 'deleted' ? NO_LOADS : loadsOf(change.object)
    const { namespace = '' } = (change.type === 'deleted' ? change.old : change.object).metadata
    for (const name of new Set([...before.keys(), ...after.keys()]))
      if (this.#add(name, namespace, { before: before.get(name), after: after.get(name) })) this.touched.emit(name)
  }

  /** True when that changed anything. */
  #add(
    cluster: string,
    namespace: string,
    { before, after }: { before: Load | undefined; after: Load | undefined },
  ): boolean {
    const loads = this.#loads.get(cluster) ?? new Map<string, Load>()
    const load = loads.get(namespace) ?? emptyLoad()
    let isChanged = false
    for (const field of LOAD_FIELDS) {
      const difference = (after?.[field] ?? 0) - (before?.[field] ?? 0)
      if (difference === 0) continue
      load[field] += difference
      isChanged = true
    }
    if (!isChanged) return false
    if (LOAD_FIELDS.every((field) => load[field] === 0)) loads.delete(namespace)
    else loads.set(namespace, load)
    this.#loads.set(cluster, loads)
    return true
  }
}

/** Of the namespaces that the scope sees. */
function sumOf(loads: Loads, scope: Scope): Load {
  const sum = emptyLoad()
  for (const [namespace, load] of loads) {
    if (!scope.sees(namespace === '' ? CLUSTER_BINDINGS : { ...BINDINGS, namespace })) continue
    for (const field of LOAD_FIELDS) sum[field] += load[field]
  }
  return sum
}

const toLoad = ({ workloads, ...replicas }: Load): ClusterLoad => ({ workloads, replicas: withoutZeros(replicas) })
