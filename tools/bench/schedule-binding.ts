/** How long the scheduler takes for one binding, on recorded inputs with recorded results. */
import type { BindingSpec, BindingStatus, TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { scheduleBinding, snapshotOf, upstreamProfile } from '@/lib/domain/placement'

export interface BenchInput {
  clusters: Cluster[]
  bindings: BenchCase[]
}

/** One binding with the recorded result. */
export interface BenchCase {
  strategy: string
  mode: string
  spec: BindingSpec
  status: BindingStatus
  expectedResult: TargetCluster[]
}

export interface BenchFigure {
  strategy: string
  mode: string
  /** Median and best time of one decision: filter, score, estimate, select, divide. */
  nanosecondsPerDecision: number
  bestNanoseconds: number
  /** The recorded result, in its order (as a set where the order upstream is random). */
  equalsRecorded: boolean
}

export interface BenchReport {
  clusters: number
  decisions: BenchFigure[]
  /** Reads all Cluster objects for the first time with their capacities, and follows one change. */
  millisecondsToReadAll: number
  millisecondsToFollowOne: number
}

export interface BenchOptions {
  /** A clock in nanoseconds. */
  nanoseconds: () => number
  /** How long each figure is measured. Default 500 ms. */
  millisecondsPerFigure?: number
}

/** Measures every binding of an input after a short warm-up. */
export function benchScheduler({ clusters, bindings }: BenchInput, options: BenchOptions): BenchReport {
  const read = timed(options, () => warm(clusters, bindings[0]))
  const changed = clusters.with(0, { ...clusters[0]! })
  const follow = timed(options, () => snapshotOf(changed))
  return {
    clusters: clusters.length,
    decisions: bindings.map((binding) => measure(clusters, binding, options)),
    millisecondsToReadAll: toMilliseconds(read),
    millisecondsToFollowOne: toMilliseconds(follow),
  }
}

function warm(clusters: readonly Cluster[], binding: BenchCase | undefined): void {
  snapshotOf(clusters)
  if (binding) decide(clusters, binding)
}

function decide(clusters: readonly Cluster[], { spec, status }: BenchCase): TargetCluster[] {
  const binding = { kind: 'ResourceBinding', metadata: { name: 'bench', namespace: 'default' }, spec, status }
  return scheduleBinding({ binding, clusters, profile: upstreamProfile }).clusters ?? []
}

function measure(clusters: readonly Cluster[], binding: BenchCase, options: BenchOptions): BenchFigure {
  const result = decide(clusters, binding)
  const samples: number[] = []
  const end = options.nanoseconds() + (options.millisecondsPerFigure ?? 500) * 1e6
  while (samples.length < 5 || options.nanoseconds() < end) {
    samples.push(timed(options, () => decide(clusters, binding)))
  }
  const sorted = samples.toSorted((a, b) => a - b)
  return {
    strategy: binding.strategy,
    mode: binding.mode,
    nanosecondsPerDecision: Math.round(sorted[sorted.length >> 1]!),
    bestNanoseconds: Math.round(sorted[0]!),
    equalsRecorded: isEqual(result, binding),
  }
}

function isEqual(result: TargetCluster[], { strategy, mode, expectedResult }: BenchCase): boolean {
  const asSet = strategy === 'aggregated' && mode === 'steady'
  const [ours, recorded] = [result, expectedResult].map((list) => {
    const lines = list.map(({ name, replicas = 0 }) => `${name}:${replicas}`)
    return (asSet ? lines.toSorted() : lines).join()
  })
  return ours === recorded
}

function timed({ nanoseconds }: BenchOptions, work: () => void): number {
  const start = nanoseconds()
  work()
  return nanoseconds() - start
}

function toMilliseconds(nanoseconds: number): number {
  return Math.round(nanoseconds / 1e4) / 100
}
