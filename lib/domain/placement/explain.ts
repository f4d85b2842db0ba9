/** Why here, why not there: one line for every cluster of a run. */
import type { Rejection } from './filter'
import type { PlacementRun } from './place'
import { assignedReplicas } from './request'
import type { Attempt, ScheduleVerdict } from './schedule-binding'

/** What a run made of one cluster. Later fields are absent when the cluster did not come that far. */
export interface ClusterVerdict {
  cluster: string
  /** Passed every filter. */
  fits: boolean
  /** The rule that kept it out, with its reason. A cluster being deleted is kept out without a rule. */
  rejectedBy?: Rejection | { rule: 'Deleting' }
  score?: number
  /** More replicas it could take, and the same plus those it has. */
  allocatableReplicas?: number
  availableReplicas?: number
  /** Takes part in the division, after spread constraints. */
  selected?: boolean
  /** The number by which replicas were divided. */
  weight?: number
  /** Replicas won; zero when others won all. */
  replicas?: number
  /** Replicas before the run. */
  replicasBefore: number
}

/** The lines of a run, clusters by name. */
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

/** The lines of the attempt that decided: the successful one, else the first. Empty when nothing was attempted. */
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
