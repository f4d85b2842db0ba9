/**
 * Drift of a large fleet, as the console keeps it: a whole pass over all workloads, one workload that changed, statuses
 * that members report, and heartbeats of clusters. In one process, over the caches of the console, fed by hand.
 */
import { parseArgs } from 'node:util'
import { defaultProfile, scheduleBinding } from '@/lib/domain/placement'
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import { resourceBinding, type ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { aBinding, aCluster, aggregated, byAvailableReplicas } from '@/lib/testing/builders'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { FedInformers } from '@/server/bff/testing/fed-informers'
import { DriftCache } from '@/server/bff/cache/drift-cache'
import { ControlPlaneCache } from '@/server/bff/cache/control-plane-cache'
import { countOf } from './usage'

/** Longer than any pass takes by the clock of the book. */
const ENOUGH_MS = 600_000
/** Of so many workloads one runs in a single cluster, as after an outage. */
const ASTRAY_EVERY = 10

interface Shape {
  workloads: number
  clusters: number
}

/** Flags: `--workloads N` (default 10000), `--clusters N` (default 60). */
export async function benchDrift(argv: string[]): Promise<object> {
  const options = {
    workloads: { type: 'string', default: '10000' },
    clusters: { type: 'string', default: '60' },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = { workloads: countOf('workloads', values.workloads), clusters: countOf('clusters', values.clusters) }
  const bench = new Bench(shape)
  const fullPass = await bench.measure(() => bench.informers.syncAll())
  const found = bench.drifting()
  const oneWorkload = await bench.measure(() => bench.change(1))
  const statuses = await bench.measure(() => bench.report())
  const heartbeats = await bench.measure(() => bench.beat())
  const afterOutage = await bench.measure(() => bench.taint())
  return {
    shape: { ...shape, strategies: '7 of 10 by free capacity, 2 gathered, 1 copied to all; one in ten is astray' },
    fullPass,
    oneWorkload,
    statusOfEveryWorkload: statuses,
    heartbeatOfEveryCluster: heartbeats,
    oneClusterTainted: afterOutage,
    workloadsOffTheirPolicy: found,
    limitedBy: 'one thread: a decision of the scheduler for each workload that a change may concern',
  }
}

class Bench {
  readonly informers = new FedInformers()
  readonly #clock = createFakeClock()
  readonly #book: DriftCache
  readonly #bindings: ResourceBinding[]
  readonly #clusters: Cluster[]
  #runs = 0

  constructor(shape: Shape) {
    this.#clusters = Array.from({ length: shape.clusters }, (_, at) => memberOf(at, 200))
    this.#book = new DriftCache(new ControlPlaneCache(this.informers), this.#clock, { elapsed: () => this.#elapsed() })
    this.#bindings = Array.from({ length: shape.workloads }, (_, at) => placed(at, this.#clusters))
    for (const each of this.#clusters) this.informers.of(clusterKind).put(each)
    for (const each of this.#bindings) this.informers.of(resourceBinding).put(each)
    this.#book.start()
  }

  /** CPU time to follow a change, without the pauses of the cache. */
  async measure(change: () => void): Promise<object> {
    this.#runs = 0
    const [began, cpu] = [performance.now(), process.cpuUsage()]
    change()
    const told = performance.now()
    this.#clock.advance(ENOUGH_MS)
    const ended = performance.now()
    const { user, system } = process.cpuUsage(cpu)
    if (!this.#book.isCurrent) throw new Error('the pass did not end in time')
    return {
      milliseconds: round(ended - told),
      millisecondsToTakeIn: round(told - began),
      cpuMilliseconds: round((user + system) / 1000),
      looksAtTheTimer: this.#runs,
    }
  }

  drifting(): number {
    return this.#bindings.filter(
      ({ spec: { resource } }) => this.#book.drift(`apps~v1/Deployment/${resource.namespace}/${resource.name}`) > 0,
    ).length
  }

  change(at: number): void {
    const binding = this.#bindings[at]!
    const generation = (binding.metadata.generation ?? 0) + 1
    const status = { ...binding.status, schedulerObservedGeneration: generation }
    this.informers.of(resourceBinding).put({ ...binding, metadata: { ...binding.metadata, generation }, status })
  }

  report(): void {
    for (const binding of this.#bindings) {
      const aggregatedStatus = (binding.spec.clusters ?? []).map(({ name: clusterName }) => ({
        clusterName,
        applied: true,
        health: 'Healthy' as const,
      }))
      this.informers.of(resourceBinding).put({ ...binding, status: { ...binding.status, aggregatedStatus } })
    }
  }

  beat(): void {
    for (const each of this.#clusters) this.informers.of(clusterKind).put({ ...each, status: { ...each.status } })
  }

  taint(): void {
    const [first] = this.#clusters as [Cluster]
    const taints = [{ key: 'bench', effect: 'NoSchedule' as const }]
    this.informers.of(clusterKind).put({ ...first, spec: { ...first.spec, taints } })
  }

  #elapsed(): number {
    this.#runs += 1
    return performance.now()
  }
}

/** Clusters of different fullness. */
function memberOf(at: number, cores: number): Cluster {
  const name = `member${String(at).padStart(3, '0')}`
  return aCluster(name, {
    cpu: String(cores * 10),
    pods: '20000',
    allocated: { cpu: String((at % 7) * cores) },
  }) as Cluster
}

const PLACEMENTS: readonly Placement[] = [
  ...Array.from({ length: 7 }, () => byAvailableReplicas()),
  aggregated(),
  aggregated(),
  {},
]

function placed(at: number, clusters: readonly Cluster[]): ResourceBinding {
  const placement = PLACEMENTS[at % PLACEMENTS.length]!
  const [replicas, namespace] = [at % PLACEMENTS.length === 9 ? 1 : 20, `team-${at % 50}`]
  const draft = aBinding(`app-${at}`, { namespace, replicas, placement })
  const binding = {
    ...draft,
    metadata: {
      ...draft.metadata,
      uid: `uid-${at}`,
      generation: 1,
      annotations: { [APPLIED_PLACEMENT_ANNOTATION]: JSON.stringify(placement) },
    },
    status: { schedulerObservedGeneration: 1, lastScheduledTime: '2026-01-01T00:00:00Z' },
  } as ResourceBinding
  return { ...binding, spec: { ...binding.spec, clusters: whereOf(binding, at, clusters) } }
}

function whereOf(binding: ResourceBinding, at: number, clusters: readonly Cluster[]): TargetCluster[] {
  if (at % ASTRAY_EVERY === 0) return [{ name: clusters[at % clusters.length]!.metadata.name, replicas: 20 }]
  return scheduleBinding({ binding, clusters, profile: defaultProfile, mode: 'Fresh' }).clusters ?? []
}

const round = (value: number): number => Number(value.toFixed(2))
