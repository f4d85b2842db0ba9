/** The simulated losses of all single clusters and all pairs of clusters of a large fleet, in one process without pauses. */
import { parseArgs } from 'node:util'
import { defaultProfile, scheduleBinding } from '@/lib/domain/placement'
import { type Loss, LossSimulation, totalsOf } from '@/lib/domain/rebalance/loss'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { aBinding, aCluster, byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import { countOf, seconds } from './usage'

const NOW = Date.parse('2026-01-02T00:00:00Z')
const REGION = 5
/** Of ten workloads so many may run in every cluster; the others in the clusters of two regions. */
const EVERYWHERE = 2

/** Flags: `--workloads N` (default 10000), `--clusters N` (default 100), `--pairs N` (at most so many pairs; default all). */
export async function benchResilience(argv: string[]): Promise<object> {
  const options = {
    workloads: { type: 'string', default: '10000' },
    clusters: { type: 'string', default: '100' },
    pairs: { type: 'string' },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = { workloads: countOf('workloads', values.workloads), clusters: countOf('clusters', values.clusters) }
  const clusters = Array.from({ length: shape.clusters }, (_, at) => memberOf(at))
  const names = clusters.map(({ metadata: { name } }) => name)
  const bindings = Array.from({ length: shape.workloads }, (_, at) => placed(at, clusters))
  const simulation = new LossSimulation({ bindings, clusters, now: NOW })
  const all = names.flatMap((one, row) => names.slice(0, row).map((other) => [one, other]))
  const pairs = all.slice(0, values.pairs === undefined ? all.length : countOf('pairs', values.pairs))
  const single = measure(
    simulation,
    names.map((name) => [name]),
  )
  return Promise.resolve({
    shape: {
      ...shape,
      policies: `${EVERYWHERE} of 10 allow every cluster, the others 2 regions of ${REGION} clusters`,
    },
    single,
    pairs: measure(simulation, pairs),
    limitedBy: 'decisions of the scheduler that differ from those of the loss of one cluster',
  })
}

function measure(simulation: LossSimulation, sets: readonly (readonly string[])[]): object {
  const before = { ...simulation.decisions }
  const began = performance.now()
  let losing = 0
  for (const names of sets) losing += totalsOf(lossOf(simulation, names)).losing > 0 ? 1 : 0
  const took = performance.now() - began
  const computed = simulation.decisions.computed - before.computed
  return {
    losses: sets.length,
    withLoss: losing,
    seconds: seconds(took),
    decisionsComputed: computed,
    decisionsReused: simulation.decisions.reused - before.reused,
    microsecondsPerDecision: Math.round((took * 1000) / Math.max(1, computed)),
    residentMiB: Math.round(process.memoryUsage().rss / 2 ** 20),
  }
}

function lossOf(simulation: LossSimulation, names: readonly string[]): Loss {
  const steps = simulation.lose(names)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function memberOf(at: number): Cluster {
  return aCluster(`member${String(at).padStart(3, '0')}`, {
    cpu: '2000',
    pods: '20000',
    region: `region-${Math.floor(at / REGION)}`,
    allocated: { cpu: String((at % 7) * 100) },
  }) as Cluster
}

function placementOf(at: number, clusters: readonly Cluster[]): Placement {
  const strategy = at % 10 === 9 ? duplicated() : byAvailableReplicas()
  const most = { spreadConstraints: [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 3 }] }
  if (at % 10 < EVERYWHERE) return { ...strategy, ...most }
  const first = (at * 7) % clusters.length
  const region = Array.from({ length: 2 * REGION }, (_, step) => clusters[(first + step) % clusters.length]!)
  return { ...strategy, ...most, clusterAffinity: { clusterNames: region.map(({ metadata }) => metadata.name) } }
}

function placed(at: number, clusters: readonly Cluster[]): ResourceBinding {
  const placement = placementOf(at, clusters)
  const draft = aBinding(`app-${at}`, { namespace: `team-${at % 50}`, replicas: 6, placement })
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
  const { clusters: targets = [] } = scheduleBinding({ binding, clusters, profile: defaultProfile, mode: 'Fresh' })
  return { ...binding, spec: { ...binding.spec, clusters: targets } }
}
