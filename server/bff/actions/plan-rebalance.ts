/** Computes a rebalance preview on the present caches. Reads only. */
import { planRebalance, type RebalancePlan, selectWorkloads } from '@/lib/domain/rebalance'
import { MOST_WORKLOADS } from '@/lib/domain/rebalance/run'
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { Clock } from '@/lib/std/clock'
import type { Manner, PlanRebalanceBody } from '@/lib/view/actions'
import type { WorkloadRef } from '@/lib/view/model'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { projectPlan } from '@/lib/view/project/plan'
import { workloadId } from '@/lib/view/workload-id'
import { refuse } from '../http/refusal'
import type { World } from '../world/world'

export interface PlanDeps {
  world: World
  clock: Clock
  /** Who acts, where that is known. */
  about: { user?: string }
  /** How the scheduler in charge behaves. Default: ours. */
  profile?: SchedulerProfile
}

const NOT_SYNCED = 'The console has not yet seen the whole control plane. Try again in a moment.'
const STALE = 'The control plane does not answer, so a plan would be out of date. Try again when the console is live.'

/** POST /api/plans/rebalance. */
export function planRebalanceAction(deps: PlanDeps, { targets, manner }: PlanRebalanceBody): RebalancePlanView {
  return viewOf(deps, planFor(deps, targets, manner), { manner })
}

/** Throws a refusal while the caches are not complete or no longer current. */
export function refuseUnlessCurrent(world: World): void {
  if (!world.hasSynced()) throw refuse(503, 'NotSynced', NOT_SYNCED)
  if (world.freshness().state === 'stale') throw refuse(503, 'Stale', STALE)
}

/** The plan on the present caches. Refuses while they are not complete or no longer current. */
export function planFor({ world, profile }: PlanDeps, targets: readonly WorkloadRef[], manner?: Manner): RebalancePlan {
  refuseUnlessCurrent(world)
  if (manner && targets.length > MOST_WORKLOADS) throw refuse(400, 'TooManyWorkloads', `A plan takes at most ${MOST_WORKLOADS} workloads; choose fewer.`)
  return planRebalance({
    // The loop that carries out a plan takes its workloads in this order, and the base depends on it.
    workloads: manner ? selectWorkloads({ workloads: targets }, { bindings: [] }) : targets,
    bindings: targets.flatMap((target) => world.bindingOf(workloadId(target)) ?? []),
    clusters: world.clusters.list(),
    policies: world.policies(),
    profile,
    ...(manner && { makeBeforeBreak: manner.makeBeforeBreak, minReady: manner.minReady, allowFewerReplicas: manner.allowFewerReplicas }),
  })
}

interface ViewOptions {
  manner?: Manner | undefined
  ttlSecondsAfterFinished?: number | undefined
}

/** The plan as it is shown, and as the object is made from it. */
export function viewOf({ clock, about }: PlanDeps, plan: RebalancePlan, options: ViewOptions = {}): RebalancePlanView {
  return projectPlan({ plan, now: clock.now(), createdBy: about.user, ...options })
}
