/** Explains the result of a run for every cluster. */
import type { Rejection } from './filter'
import type { PlacementRun } from './place'
import { assignedReplicas } from './request'
import type { Attempt, ScheduleVerdict } from './schedule-binding'

/** The result of a run for one cluster. Fields of stages that the cluster did not reach are absent. */
export interface ClusterVerdict {
  cluster: string
  /** The cluster passed every filter. */
  fits: boolean
  /**
   * The filter that rejected the cluster, with its reason. Clusters that are being deleted are rejected without a
   * filter.
   */
  rejectedBy?: Rejection | { rule: 'Deleting' }
  score?: number
  /** Additional replicas that the cluster could take; `availableReplicas` includes its current ones. */
  allocatableReplicas?: number
  availableReplicas?: number
  /** The cluster takes part in the division, after spread constraints. */
  selected?: boolean
  /** Weight in the division. */
  weight?: number
  /** Assigned replicas; may be zero. */
  replicas?: number
  /** Replicas before the run. */
  replicasBefore: number
}

/** Returns the results of a run, sorted by cluster name. */
export function explainRun(run: PlacementRun, clusterNames: Iterable<string>): ClusterVerdict[] {
  const rejections = new Map(run.rejections.map((rejection) => [rejection.cluster, rejection]))
  const candidates = new Map(run.candidates.map((candidate) => [candidate.name, candidate]))
  const selected = new Set(run.selected.map(({ name }) => name))
  const weights = new Map(run.weights.map((share) => [share.cluster.name, share.replicas]))
  const won = new Map(run.outcome.ok ? run.outcome.clusters.map(({ name, replicas = 0 }) => [name, replicas]) : [])
  return [...clusterNames].sort().map((cluster) => {
    const replicasBefore = assignedReplicas(run.request, cluster)
    const candidate = candidates.get(cluster)
    if (!candidate) return { cluster, fits: false, rejectedBy: rejectionOf(rejections.get(cluster)), replicasBefore }
    const { score, allocatableReplicas, availableReplicas } = candidate
    const weight = weights.get(cluster)
    return {
      cluster,
      fits: true,
      score,
      allocatableReplicas,
      availableReplicas,
      selected: selected.has(cluster),
      replicasBefore,
      ...(weight !== undefined && { weight }),
      ...(run.outcome.ok && { replicas: won.get(cluster) ?? 0 }),
    }
  })
}

/** Returns the results of the decisive attempt: the successful one, otherwise the first. Empty without attempts. */
export function explainVerdict({ attempts }: ScheduleVerdict, clusterNames: Iterable<string>): ClusterVerdict[] {
  const decisive = attempts.find(isSuccess) ?? attempts[0]
  return decisive ? explainRun(decisive.run, clusterNames) : []
}

function isSuccess({ run }: Attempt): boolean {
  return run.outcome.ok
}

function rejectionOf(rejection: Rejection | undefined): NonNullable<ClusterVerdict['rejectedBy']> {
  return rejection ?? { rule: 'Deleting' }
}
