import { type Candidate, compileCandidate } from '@/lib/domain/placement/candidate'
import { snapshotOf } from '@/lib/domain/placement/facts'
import { comparePreference } from '@/lib/domain/placement/preference'
import { placementRequest } from '@/lib/domain/placement/request'
import { selectClusters, selectionInput } from '@/lib/domain/placement/select'
import { groupByRegion } from '@/lib/domain/placement/select/region'
import type { BindingStatus, TargetCluster } from '@/lib/kube/kinds/binding'
import type { Placement } from '@/lib/kube/kinds/placement'
import { differs, firstOf } from '../compare'
import type { Case, Suite } from '../suite'
import { type FlatCluster, clusterFrom } from '../flat-cluster'

interface Input {
  clusters: (FlatCluster & { score: number; allocatableReplicas: number })[]
  placement: Placement
  replicas?: number
  previousClusters?: TargetCluster[]
  status: BindingStatus
}

interface Output {
  selected: unknown[]
  error?: string
  regionScores?: Record<string, number>
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const { clusters, placement, replicas = 0, previousClusters = [], status } = input
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'any' }
  const spec = { resource, placement, replicas, clusters: previousClusters }
  const request = placementRequest(spec, 'Steady', status.schedulerObservingAffinityName ?? '')
  const given = new Map(clusters.map((one) => [one.name, one]))
  const snapshot = snapshotOf(clusters.map(clusterFrom))
  const candidateAt = compileCandidate(request, snapshot, ({ name }) => given.get(name)?.allocatableReplicas ?? 0)
  const candidates = snapshot.facts
    .map(({ name }, rank) => ({ ...candidateAt(rank), score: given.get(name)?.score ?? 0 }))
    .sort(comparePreference)
  const selection = selectClusters(candidates, request)
  const regions = groupByRegion(selectionInput(candidates, request)).map(({ name, score }) => [name, score])
  return firstOf(
    differs('error', selection.ok ? undefined : selection.message, output.error),
    differs('selected', selection.ok ? selection.selected.map(plain) : [], output.selected),
    output.regionScores && differs('regionScores', Object.fromEntries(regions), output.regionScores),
  )
}

/** Recorded fields of candidates. */
function plain({ name, score, overflowOrder, availableReplicas, allocatableReplicas }: Candidate): object {
  return { name, score, overflowOrder, availableReplicas, allocatableReplicas }
}

export const suite: Suite<Input, Output> = { name: 'spread', judge }
