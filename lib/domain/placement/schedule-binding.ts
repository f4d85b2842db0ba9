/** Schedules one binding: tries affinity groups, and builds the patch. */
import type { BindingSpec, TargetCluster } from '@/lib/kube/kinds/binding'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { type Message, message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { type Estimator, generalEstimator } from '../estimate'
import { appliedPlacementText, isPlacementChanged } from './applied-placement'
import { type Binding, describeBinding } from './binding'
import { type ClusterSnapshot, snapshotOf } from './facts'
import type { filterClusters } from './filter'
import { type Neighbours, neighboursOf } from './neighbours'
import { type PlacementContext, type PlacementFailure, type PlacementRun, placeOnce } from './place'
import { type Exclusions, exclusionsOf } from './predecessors'
import { type SchedulerProfile, defaultProfile } from './profile'
import { isDuplicated, isPlacedAsSet, type Mode, modeOf, type PlacementRequest, placementRequest } from './request'

/** Input of scheduling one binding. */
export interface ScheduleSnapshot {
  binding: Binding
  /** All clusters. Pass the same array while nothing changes, because derived values are cached by it. */
  clusters: readonly Cluster[] | ClusterSnapshot
  profile?: SchedulerProfile
  /** Default: the general estimator. */
  estimators?: readonly Estimator[]
  /** Decides whether blocks of predecessors have ended. Default: recorded ones have not. */
  now?: EpochMs
  /** Default: Fresh while a reschedule is pending. */
  mode?: Mode
  /** Filter to use. Default `filterClusters`; callers with many bindings pass one that caches results. */
  filter?: typeof filterClusters
  /** False: compute only the decision, without the patch. Default true. */
  writes?: boolean
  /** Other bindings of its groups; used if the profile supports workload affinity. Default none. */
  groupMembers?: Iterable<Binding>
}

/** One run of the algorithm with one affinity group. */
export interface Attempt {
  /** Empty if the placement has no groups. */
  affinityName: string
  run: PlacementRun
}

/** Changes of the binding's spec and annotation, written in one patch. */
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
  /** Why there is no result: the first failure, in upstream's wording, or a loss of replicas. */
  failure?: ScheduleFailure
  /** Absent when no write is needed. */
  patch?: PlacementPatch
  /** Affinity group of the successful attempt. */
  affinityName?: string
  /** Failures of individual attempts, recorded as warning events before the write. */
  warnings: readonly string[]
  /** Whether the outcome itself is recorded as an event. */
  announced: boolean
  /** A fresh run found no cluster, or only for fewer replicas, and the current result was kept. */
  kept?: true
}

/**
 * Schedules a binding for which `decideReschedule` decided to schedule. Pure: the same snapshot yields the same
 * verdict.
 */
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

/**
 * Reports whether a second search may find more: predecessors whose reason is gone, or affinity groups before the
 * current one.
 */
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
  /** True in the second search, when no cluster fits otherwise. */
  readmit: boolean
  writes: boolean
}

function requestOf(task: Task, affinityName: string): PlacementRequest {
  const {
    mode,
    neighbours,
    exclusions: { spec, blocked },
    profile: { componentSets },
  } = task
  return {
    ...placementRequest(spec, mode, affinityName),
    blocked,
    ...(neighbours && { neighbours }),
    ...(componentSets && isPlacedAsSet(spec) && { wholeSets: true }),
  }
}

function scheduleOnce(task: Task): ScheduleVerdict {
  const { status = {} } = task.binding
  const run = placeOnce(requestOf(task, status.schedulerObservingAffinityName ?? ''), task.context)
  const attempts = [{ affinityName: '', run }]
  if (run.outcome.ok) return succeed(task, attempts, run.outcome.clusters)
  return failWith(task, attempts, { failure: run.outcome.failure, announced: true, warnings: [] })
}

/** Tries the groups in order, starting at the current one, or at the first one when fresh. */
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

/** A workload that is placed nowhere tries earlier groups again. */
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
 * Reports whether a result has fewer replicas than now (or fewer clusters, for a kind without replicas) although the
 * spec requires no reduction: the placement was applied before, and no cluster has more than desired. Clusters that are
 * deleted or being deleted, or that the workload is being evicted from, do not count.
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
  // Checked last, because comparing placements is expensive and rarely needed.
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

/** Empties the result if no cluster fits; on other failures the result stays. */
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

/** Returns the patch that sets the result; undefined if the binding already has it. */
function patchFor({ metadata, spec }: Binding, clusters: TargetCluster[]): PlacementPatch | undefined {
  const appliedPlacement = appliedPlacementText(spec.placement ?? {})
  const written = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION] === appliedPlacement
  return written && sameTargets(spec.clusters ?? [], clusters) ? undefined : { clusters, appliedPlacement }
}

function sameTargets(a: NonNullable<BindingSpec['clusters']>, b: readonly TargetCluster[]): boolean {
  return (
    a.length === b.length
    && a.every(
      ({ name, replicas = 0, components = [] }, index) =>
        name === b[index]!.name
        && replicas === (b[index]!.replicas ?? 0)
        && deepEqual(components, b[index]!.components ?? []),
    )
  )
}
