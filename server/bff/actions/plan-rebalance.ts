/** Previews a rebalance on the current caches, limited to objects in the caller's scope. Only reads. */
import {
  hasRoomForResults,
  planRebalance,
  type RebalancePlan,
  selectWorkloads,
  type TargetPlan,
  withUncertainty,
} from '@/lib/domain/rebalance'
import { MAX_WORKLOADS } from '@/lib/domain/rebalance/run'
import { message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import type { Rollout } from '@/lib/view/actions'
import type { WorkloadRef } from '@/lib/view/model'
import type { PlanRunView, PlanStage, RebalanceLoadView, RebalancePlanView } from '@/lib/view/rebalance-model'
import { projectPlan, type RebalancerManifest } from '@/lib/view/project/plan'
import { type LoadSnapshot, projectLoad } from '@/lib/view/project/plan-load'
import { workloadId } from '@/lib/view/workload-id'
import type { Scope } from '../access/access'
import { refuse } from '../http/refusal'
import type { ControlPlaneCache } from '../cache/control-plane-cache'
import type { ReadModel } from '../read-model/read-model'
import type { ApiDeps } from './api-deps'

/** The caller: the scope, and the user name written on objects. */
export interface Planner {
  scope: Scope
  user: string | undefined
}

/** Throws a refusal while the caches are incomplete, so that missing objects are not taken for absent ones. */
export function refuseUnlessComplete(cache: ControlPlaneCache): void {
  if (!cache.hasSynced())
    throw refuse(503, 'NotSynced', message('rebalance.problem.NotSynced'), { retryAfterSeconds: 1 })
}

/** Throws a refusal while the caches are incomplete or stale. */
export function refuseUnlessCurrent(cache: ControlPlaneCache): void {
  refuseUnlessComplete(cache)
  if (cache.freshness().state === 'stale') throw refuse(503, 'Stale', message('rebalance.problem.Stale'))
}

export interface PlanOrder {
  targets: readonly WorkloadRef[]
  rollout?: Rollout | undefined
  ttlSecondsAfterFinished?: number | undefined
}

/**
 * Computes the plan for display and for the manifest of the object. A workload that the caller may not see is treated
 * as having no binding.
 */
export function previewRebalance(
  deps: ApiDeps,
  { targets, ...options }: PlanOrder,
  { scope, user }: Planner,
): RebalancePlanView {
  const reader = deps.views.models.of(scope)
  const knownClusters = reader.seesClusters ? undefined : clustersOf(reader, targets)
  const now = deps.clock.now()
  const view = projectPlan({
    plan: planFor(deps, { targets, rollout: options.rollout }, reader),
    now,
    createdBy: user,
    ...options,
    ...(knownClusters && { knownClusters }),
  })
  if (!options.rollout) refuseUnlessReportable(view.manifest as RebalancerManifest)
  if (knownClusters) return view
  const moving = view.targets.filter(({ verdict }) => verdict === 'moves')
  const load = loadFor(
    moving.map((target) => ({ ...target, isOver: false })),
    { reader, now },
  )
  return { ...view, load }
}

/** Throws a refusal if the rebalancer could not report its results. */
function refuseUnlessReportable({ metadata, spec }: RebalancerManifest): void {
  const n = spec.workloads.length
  if (hasRoomForResults({ metadata: { ...metadata, generation: 1 }, spec })) return
  throw refuse(400, 'TooManyWorkloads', message('rebalance.problem.tooManyAtOnce', { n }))
}

/** Returns the load of a plan: of its unfinished workloads, what is still to move. */
export function loadOfPlan(deps: ApiDeps, { targets }: PlanRunView, scope: Scope): RebalanceLoadView {
  const moving = targets.flatMap(({ id, before, predicted, actual, stage }) =>
    stage === 'Skipped' ? [] : [{ id, before, after: actual ?? predicted, isOver: OVER.has(stage) }],
  )
  return loadFor(moving, { reader: deps.views.models.of(scope), now: deps.clock.now() })
}

const OVER: ReadonlySet<PlanStage> = new Set(['Done', 'Failed'])

function loadFor(
  targets: LoadSnapshot['targets'],
  { reader, now }: { reader: ReadModel; now: EpochMs },
): RebalanceLoadView {
  return projectLoad({ targets, bindingOf: (id) => reader.binding(id), clusters: reader.clusters(), now })
}

/** Returns the clusters that the bindings of the caller's own workloads name: the user may read them there. */
function clustersOf(reader: ReadModel, targets: readonly WorkloadRef[]): ReadonlySet<string> {
  const bindings = targets.flatMap((target) => reader.binding(workloadId(target)) ?? [])
  return new Set(bindings.flatMap(({ spec }) => spec.clusters ?? []).map(({ name }) => name))
}

function planFor(
  { cache, profile, views, clock }: ApiDeps,
  { targets, rollout }: PlanOrder,
  reader: ReadModel,
): RebalancePlan {
  refuseUnlessCurrent(cache)
  if (rollout && targets.length > MAX_WORKLOADS) {
    throw refuse(400, 'TooManyWorkloads', message('rebalance.problem.tooMany', { most: MAX_WORKLOADS }))
  }
  // The same array for both, because what is derived from it is cached by it.
  const scheduler = {
    clusters: cache.clusters.list(),
    profile,
    assumptions: views.expected.assumptions,
    now: clock.now(),
  }
  const plan = planRebalance({
    // The controller that executes a plan processes its workloads in this order, and the base depends on it.
    workloads: rollout ? selectWorkloads({ workloads: targets }, { bindings: [] }) : targets,
    bindings: targets.flatMap((target) => reader.binding(workloadId(target)) ?? []),
    policies: cache.policies(),
    ...scheduler,
    ...(rollout && {
      makeBeforeBreak: rollout.makeBeforeBreak,
      minReady: rollout.minReady,
      allowFewerReplicas: rollout.allowFewerReplicas,
    }),
  })
  const bindingOf = ({ workload }: TargetPlan) => reader.binding(workloadId(workload))
  const { movesUnderWay: underWay, knowsRestarts } = views.expected
  const batch = { targets: plan.targets, bindingOf, underWay, knowsRestarts, ...scheduler }
  return { ...plan, targets: withUncertainty(batch) }
}
