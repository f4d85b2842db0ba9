import { strategyOf } from '@/lib/domain/division'
import type { Estimator } from '@/lib/domain/estimate'
import type { Candidate } from '@/lib/domain/placement/candidate'
import { snapshotOf } from '@/lib/domain/placement/facts'
import { placeOnce } from '@/lib/domain/placement/place'
import { modeOf, placementRequest } from '@/lib/domain/placement/request'
import type { BindingSpec, BindingStatus, TargetCluster } from '@/lib/kube/kinds/binding'
import { differs, firstOf } from '../compare'
import { type FlatCluster, clusterFrom } from '../flat-cluster'
import type { Case, Suite } from '../suite'

interface Input {
  clusters: (FlatCluster & { availableReplicas: number | null })[] | null
  spec: BindingSpec
  status: BindingStatus
  enableEmptyWorkloadPropagation: boolean
}

interface Output {
  clusters: TargetCluster[] | null
  error?: { type: string; message: string }
  mode?: string
  strategy?: string
  candidates?: object[]
  nondeterminismKind?: 'order'
  orderedPrefix?: TargetCluster[]
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const { spec, status } = input
  const clusters = input.clusters ?? []
  const request = placementRequest(spec, modeOf({ spec, status }), status.schedulerObservingAffinityName ?? '')
  const run = placeOnce(request, {
    clusters: snapshotOf(clusters.map(clusterFrom)),
    estimators: [tableOf(clusters)],
    propagateEmptyWorkloads: input.enableEmptyWorkloadPropagation,
  })
  const failure = run.outcome.ok ? undefined : run.outcome.failure
  return firstOf(
    differs('error', failure, output.error),
    run.outcome.ok ? clustersDiffer(run.outcome.clusters.map(withReplicas), output) : undefined,
    output.mode && differs('mode', request.mode, output.mode),
    output.strategy && differs('strategy', strategyOf(request.placement) ?? output.strategy, output.strategy),
    output.candidates && differs('candidates', run.selected.map(plain), output.candidates),
  )
}

/** Where the real order is random, only the part that never varied is compared in order. */
function clustersDiffer(ours: TargetCluster[], output: Output): string | undefined {
  const { clusters, nondeterminismKind, orderedPrefix = [] } = output
  if (nondeterminismKind !== 'order') return differs('clusters', ours, clusters)
  const sorted = ours.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return firstOf(
    differs('clusters', sorted, clusters),
    differs('ordered prefix', ours.slice(0, orderedPrefix.length), orderedPrefix),
  )
}

function tableOf(clusters: NonNullable<Input['clusters']>): Estimator {
  const table = new Map(clusters.map(({ name, availableReplicas }) => [name, availableReplicas]))
  const lookUp = (name: string): number | undefined => {
    const answer = table.get(name) ?? -1
    return answer === -1 ? undefined : answer
  }
  return {
    name: 'table',
    compile:
      () =>
      ({ cluster }) =>
        lookUp(cluster.metadata.name),
  }
}

function withReplicas({ name, replicas = 0 }: TargetCluster): TargetCluster {
  return { name, replicas }
}

/** Recorded fields of candidates. */
function plain({ name, score, overflowOrder, availableReplicas, allocatableReplicas }: Candidate): object {
  return { name, score, overflowOrder, availableReplicas, allocatableReplicas }
}

export const suite: Suite<Input, Output> = { name: 'division', judge }
