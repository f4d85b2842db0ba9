/**
 * The simulated losses of all single clusters and all pairs of clusters of a large fleet: single clusters and changes in one
 * thread, pairs in the threads of the server.
 */
import { parseArgs } from 'node:util'
import { defaultProfile, scheduleBinding } from '@/lib/domain/placement'
import { type LossFleet, LossSimulation, totalsOf } from '@/lib/domain/rebalance/loss'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { Placement } from '@/lib/kube/kinds/placement'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { aBinding, aCluster, byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import { LossComputation } from '@/server/bff/actions/loss-computation'
import { LossThreads } from '@/server/bff/actions/loss-threads'
import { countOf, seconds } from './usage'

const NOW = Date.parse('2026-01-02T00:00:00Z')
const REGION = 5
/** Of ten workloads so many may run in every cluster; the others in the clusters of two regions. */
const EVERYWHERE = 2
/** Changes of each sort that are measured. */
const CHANGES = 9

/**
 * Flags: `--workloads N` (default 10000), `--clusters N` (default 100), `--threads N` (default as the server),
 * `--without-pairs`.
 */
export async function benchResilience(argv: string[]): Promise<object> {
  const options = {
    workloads: { type: 'string', default: '10000' },
    clusters: { type: 'string', default: '100' },
    threads: { type: 'string' },
    'without-pairs': { type: 'boolean', default: false },
  } as const
  const { values } = parseArgs({ args: argv, options })
  const shape = { workloads: countOf('workloads', values.workloads), clusters: countOf('clusters', values.clusters) }
  const clusters = Array.from({ length: shape.clusters }, (_, at) => memberOf(at))
  const bindings = Array.from({ length: shape.workloads }, (_, at) => placed(at, clusters))
  const fleet = { bindings, clusters, now: NOW }
  const simulation = new LossSimulation(fleet)
  const single = measure(simulation)
  return {
    shape: {
      ...shape,
      policies: `${EVERYWHERE} of 10 allow every cluster, the others 2 regions of ${REGION} clusters`,
    },
    single: { ...single, wantedSeconds: 5, limitedBy: 'one decision of the scheduler for each evicted workload' },
    ...incremental(simulation, fleet),
    ...(!values['without-pairs'] && {
      pairs: {
        ...(await inThreads(fleet, values.threads === undefined ? undefined : countOf('threads', values.threads))),
        wantedSeconds: 300,
        limitedBy: 'decisions that differ from those of the loss of one cluster, divided among the threads',
      },
    }),
  }
}

function measure(simulation: LossSimulation) {
  const { computed: computedBefore, reused: reusedBefore } = simulation.decisions
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  const sets = simulation.clusters.map(({ metadata }) => [metadata.name])
  let losing = 0
  for (const names of sets) {
    if (!simulation.outcome(names)) simulate(simulation, names)
    losing += totalsOf(simulation.outcome(names)!).losing > 0 ? 1 : 0
  }
  const took = performance.now() - began
  const computed = simulation.decisions.computed - computedBefore
  return {
    losses: sets.length,
    withLoss: losing,
    seconds: seconds(took),
    cpuSeconds: cpuSecondsSince(cpu),
    decisionsComputed: computed,
    decisionsReused: simulation.decisions.reused - reusedBefore,
    microsecondsPerDecision: Math.round((took * 1000) / Math.max(1, computed)),
    residentMiB: Math.round(process.memoryUsage().rss / 2 ** 20),
  }
}

/** CPU time of all threads: wall time is unreliable on a busy machine. */
function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return seconds((user + system) / 1000)
}

function simulate(simulation: LossSimulation, names: readonly string[]): void {
  const steps = simulation.lose(names)
  for (;;) {
    const step = steps.next()
    if (step.done) return simulation.learn(step.value)
  }
}

/** All single losses again after one change, for each of several workloads that grow, and of clusters that have less room. */
function incremental(simulation: LossSimulation, fleet: LossFleet): object {
  const { bindings, clusters } = fleet
  const grown = (at: number): LossFleet => {
    const binding = bindings[at]!
    const larger = { ...binding, spec: { ...binding.spec, replicas: (binding.spec.replicas ?? 0) + 1 } }
    return { ...fleet, bindings: bindings.with(at, larger) }
  }
  const fuller = (at: number): LossFleet => ({ ...fleet, clusters: clusters.with(at, memberOf(at, '610')) })
  return {
    afterWorkload: {
      ...changes(simulation, sampleOf(bindings).map(grown)),
      limitedBy: 'the losses of the clusters that the workload is in',
    },
    afterCluster: {
      ...changes(simulation, sampleOf(clusters).map(fuller)),
      limitedBy: 'every loss with a workload that the cluster could take',
    },
  }
}

/** Some positions, spread evenly. */
const sampleOf = ({ length }: readonly unknown[]): number[] =>
  Array.from({ length: CHANGES }, (_, at) => Math.floor(((at + 0.5) * length) / CHANGES))

/** Each change alone, of the same fleet. */
function changes(simulation: LossSimulation, fleets: readonly LossFleet[]): object {
  const figures = fleets.map((fleet) => {
    const [began, cpu] = [performance.now(), process.cpuUsage()]
    const changed = simulation.changed(fleet)
    const { decisionsComputed } = measure(changed)
    return { seconds: seconds(performance.now() - began), cpu: cpuSecondsSince(cpu), decisionsComputed }
  })
  const median = (read: (one: (typeof figures)[number]) => number): number =>
    figures.map(read).sort((a, b) => a - b)[Math.floor(figures.length / 2)]!
  return {
    changes: figures.length,
    medianSeconds: median((one) => one.seconds),
    medianCpuSeconds: median((one) => one.cpu),
    longestCpuSeconds: Math.max(...figures.map(({ cpu }) => cpu)),
    medianDecisionsComputed: median((one) => one.decisionsComputed),
    mostDecisionsComputed: Math.max(...figures.map((one) => one.decisionsComputed)),
    wantedSeconds: 0.2,
  }
}

async function inThreads(fleet: LossFleet, count: number | undefined): Promise<object> {
  const computation = new LossComputation(fleet as never)
  computation.addPairs()
  const threads = new LossThreads(count)
  // Threads do not keep a process alive.
  const alive = setInterval(() => undefined, 1000)
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  await threads.compute(computation, { elapsed: () => performance.now() - began, isWanted: () => true })
  const took = performance.now() - began
  await threads.close()
  clearInterval(alive)
  const { base, pairs, fixes = [] } = computation
  return {
    losses: pairs?.sets.length,
    seconds: seconds(took),
    cpuSeconds: cpuSecondsSince(cpu),
    singlesAndRegionsSeconds: seconds(base.tookMs ?? 0),
    fixes: fixes.length,
    threads: threads.count,
    residentMiB: Math.round(process.memoryUsage().rss / 2 ** 20),
  }
}

function memberOf(at: number, used = String((at % 7) * 100)): Cluster {
  const name = `member${String(at).padStart(3, '0')}`
  const draft = aCluster(name, {
    cpu: '2000',
    pods: '20000',
    region: `region-${Math.floor(at / REGION)}`,
    allocated: { cpu: used },
  }) as Cluster
  return { ...draft, metadata: { ...draft.metadata, uid: name, generation: 1 } }
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
