/** Scheduling one binding: which affinity groups are tried, and what is to be written. */
import type { BindingSpec, TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { type Message, message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import { type Estimator, generalEstimator } from '../estimate'
import { appliedPlacementText, isPlacementChanged } from './applied-placement'
import { type Binding, describeBinding } from './binding'
import { type ClusterSnapshot, snapshotOf } from './facts'
import type { filterClusters } from './filter'
import { type Neighbours, neighboursOf } from './neighbours'
import { type PlacementContext, type PlacementFailure, type PlacementRun, placeOnce } from './place'
import { type Exclusions, exclusionsOf } from './predecessors'
import { type SchedulerProfile, defaultProfile } from './profile'
import { isDuplicated, type Mode, modeOf, type PlacementRequest, placementRequest } from './request'

/** Everything that scheduling one binding depends on. */
export interface ScheduleSnapshot {
  binding: Binding
  /** All clusters. Hand over the same array while nothing changes: what is derived from it is kept. */
  clusters: readonly Cluster[] | ClusterSnapshot
  profile?: SchedulerProfile
  /** Default: what the clusters report. */
  estimators?: readonly Estimator[]
  /** Decides whether the time of clusters that failed is up. Default: it is not while they are noted. */
  now?: EpochMs
  /** Default: Fresh when a reschedule is outstanding. */
  mode?: Mode
  /** Which clusters may take it. Default `filterClusters`; a caller with many bindings knows much of it already. */
  filter?: typeof filterClusters
  /** False: only the decision is wanted, and the patch that writes it is not made. Default true. */
  writes?: boolean
  /** Other bindings of its groups; they count where the profile heeds workload affinity. Default none. */
  groupMembers?: Iterable<Binding>
}

/** One run of the algorithm under one affinity group. */
export interface Attempt {
  /** Empty when the placement has no groups. */
  affinityName: string
  run: PlacementRun
}

/** What is written to the binding's spec and annotation in one patch. */
export interface PlacementPatch {
  clusters: TargetCluster[]
  appliedPlacement: string
}

export interface ScheduleFailure {
  type: PlacementFailure['type']
  message: Message | string
}

/** The decision, before anything is written. */
export interface ScheduleVerdict {
  mode: Mode
  attempts: readonly Attempt[]
  /** The new result; undefined when there is none. */
  clusters?: TargetCluster[]
  /** Why there is none: the first failure, in the words of upstream, or a loss of replicas. */
  failure?: ScheduleFailure
  /** Absent when nothing is to be written. */
  patch?: PlacementPatch
  /** The affinity group of the successful attempt. */
  affinityName?: string
  /** Failures of single attempts, for warning events before anything is written. */
  warnings: readonly string[]
  /** Whether the outcome itself is told in an event. */
  announced: boolean
  /** A fresh run found no cluster, or only for fewer replicas, and what is placed was kept. */
  kept?: true
}

/** Schedules a binding that `decideReschedule` wants scheduled. Pure: the same snapshot gives the same verdict. */
export function scheduleBinding(snapshot: ScheduleSnapshot): ScheduleVerdict {
  const { binding, profile = defaultProfile } = snapshot
  const mode = snapshot.mode ?? modeOf(binding, profile)
  const { clusters, filter } = snapshot
  const context: PlacementContext = {
    clusters: 'ranks' in clusters ? clusters : snapshotOf(clusters),
    ...(filter && { filter }),
    estimators: snapshot.estimators ?? [generalEstimator({ resourceModels: profile.resourceModels })],
    propagateEmptyWorkloads: profile.propagateEmptyWorkloads,
  }
  const neighbours = profile.workloadAffinity ? neighboursOf(binding, snapshot.groupMembers ?? []) : undefined
  const search = (readmit: boolean): ScheduleVerdict => {
    const exclusions = exclusionsOf(binding, { profile, now: snapshot.now ?? -Infinity, readmit })
    const task = { binding, mode, context, profile, neighbours, exclusions, readmit, writes: snapshot.writes ?? true }
    return binding.spec.placement?.clusterAffinities ? scheduleInGroups(task) : scheduleOnce(task)
  }
  const verdict = search(false)
  return verdict.clusters || !mayReadmit(binding, profile) ? verdict : search(true)
}

/** A second search may find more: predecessors whose reason is gone, or affinity groups before the one in force. */
function mayReadmit({ spec, status }: Binding, profile: SchedulerProfile): boolean {
  if (!profile.returnToPredecessors) return false
  const isLeaving = !!spec.gracefulEvictionTasks?.length
  return isLeaving || (!spec.clusters?.length && !!status?.schedulerObservingAffinityName)
}

interface Task {
  binding: Binding
  mode: Mode
  context: PlacementContext
  profile: SchedulerProfile
  neighbours: Neighbours | undefined
  exclusions: Exclusions
  /** The second search, when nothing fits otherwise. */
  readmit: boolean
  writes: boolean
}

function requestOf(task: Task, affinityName: string): PlacementRequest {
  const {
    mode,
    neighbours,
    exclusions: { spec, blocked },
  } = task
  return { ...placementRequest(spec, mode, affinityName), blocked, ...(neighbours && { neighbours }) }
}

function scheduleOnce(task: Task): ScheduleVerdict {
  const { status = {} } = task.binding
  const run = placeOnce(requestOf(task, status.schedulerObservingAffinityName ?? ''), task.context)
  const attempts = [{ affinityName: '', run }]
  if (run.outcome.ok) return succeed(task, attempts, run.outcome.clusters)
  return failWith(task, attempts, { failure: run.outcome.failure, announced: true, warnings: [] })
}

/** Tries the groups in order from the one in force, or from the first when fresh. */
function scheduleInGroups(task: Task): ScheduleVerdict {
  const { binding, mode, context } = task
  const terms = binding.spec.placement?.clusterAffinities ?? []
  const attempts: Attempt[] = []
  const warnings: string[] = []
  let failure: PlacementFailure | undefined
  for (let index = startIndex(task); index < terms.length; index += 1) {
    const { affinityName } = terms[index]!
    const run = placeOnce(requestOf(task, affinityName), context)
    attempts.push({ affinityName, run })
    if (run.outcome.ok) return { ...succeed(task, attempts, run.outcome.clusters), affinityName, warnings }
    failure ??= run.outcome.failure
    warnings.push(groupWarning(binding, index, run.outcome.failure))
  }
  if (!failure) return { mode, attempts, warnings, announced: false }
  return failWith(task, attempts, { failure, announced: failure.type === 'FitError', warnings })
}

// upstream: karmada-scheduler, scheduleResourceBindingWithClusterAffinities
function groupWarning(binding: Binding, index: number, { message }: PlacementFailure): string {
  return `failed to schedule ${describeBinding(binding)} with clusterAffiliates index(${index}): ${message}`
}

/** What is placed nowhere goes back to earlier groups rather than stay so. */
function startIndex({ binding, mode, readmit }: Task): number {
  if (mode === 'Fresh' || (readmit && !binding.spec.clusters?.length)) return 0
  const observed = binding.status?.schedulerObservingAffinityName
  const terms = binding.spec.placement?.clusterAffinities ?? []
  return Math.max(
    0,
    terms.findIndex(({ affinityName }) => observed !== undefined && affinityName === observed),
  )
}

function succeed(
  { binding, mode, profile, context, writes }: Task,
  attempts: Attempt[],
  clusters: TargetCluster[],
): ScheduleVerdict {
  if (profile.keepWhenFewer && mode === 'Fresh' && losesReplicas(binding, clusters, context.clusters)) {
    const failure = { type: 'UnschedulableError' as const, message: lossMessage(binding, clusters) }
    return { mode, attempts, failure, announced: true, warnings: [], kept: true }
  }
  const patch = writes ? patchFor(binding, clusters) : undefined
  return { mode, attempts, clusters, warnings: [], announced: true, ...(patch && { patch }) }
}

/**
 * True when a result has fewer replicas than now (or fewer clusters, for a kind without replicas) although the spec
 * asks for no reduction: the placement was applied before, and no cluster has more than asked for. Clusters that are
 * deleted or going, or that the workload is leaving anyway, do not count.
 */
export function losesReplicas(
  binding: Binding,
  after: readonly TargetCluster[],
  { facts, ranks }: ClusterSnapshot,
): boolean {
  const { clusters = [], replicas: wanted = 0, placement = {}, gracefulEvictionTasks = [] } = binding.spec
  if (clusters.some(({ replicas = 0 }) => replicas > wanted)) return false
  const leaving = new Set(gracefulEvictionTasks.map(({ fromCluster }) => fromCluster))
  const before = clusters.filter(({ name }) => facts[ranks.get(name) ?? -1]?.deleting === false && !leaving.has(name))
  const had = sumOf(before)
  const loses =
    had === 0 ? after.length < before.length : sumOf(after) < (isDuplicated(placement) ? had : Math.min(had, wanted))
  // Comparing placements costs more than the rest, and is seldom needed.
  return loses && !isPlacementChanged(binding)
}

function lossMessage({ spec: { clusters = [] } }: Binding, after: readonly TargetCluster[]): Message {
  return message('placement.failure.fewer', {
    replicas: sumOf(after),
    clusters: after.length,
    replicasBefore: sumOf(clusters),
    clustersBefore: clusters.length,
  })
}

function sumOf(clusters: readonly TargetCluster[]): number {
  return clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0)
}

/** Where no cluster fits, the result is emptied; what cannot be placed for another reason stays as it is. */
function failWith(
  { binding, mode, profile, writes }: Task,
  attempts: Attempt[],
  outcome: { failure: PlacementFailure; announced: boolean; warnings: string[] },
): ScheduleVerdict {
  const verdict = { mode, attempts, ...outcome }
  if (outcome.failure.type !== 'FitError') return verdict
  const keeps = profile.keepWhenNothingFits && mode === 'Fresh' && !!binding.spec.clusters?.length
  if (keeps) return { ...verdict, kept: true }
  const patch = writes ? patchFor(binding, []) : undefined
  return { ...verdict, ...(patch && { patch }) }
}

/** The patch that brings the binding to the result; undefined when it is there already. */
function patchFor({ metadata, spec }: Binding, clusters: TargetCluster[]): PlacementPatch | undefined {
  const appliedPlacement = appliedPlacementText(spec.placement ?? {})
  const written = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION] === appliedPlacement
  return written && sameTargets(spec.clusters ?? [], clusters) ? undefined : { clusters, appliedPlacement }
}

function sameTargets(a: NonNullable<BindingSpec['clusters']>, b: readonly TargetCluster[]): boolean {
  return (
    a.length === b.length
    && a.every(
      ({ name, replicas = 0, components }, index) =>
        name === b[index]!.name && replicas === (b[index]!.replicas ?? 0) && !components?.length,
    )
  )
}
