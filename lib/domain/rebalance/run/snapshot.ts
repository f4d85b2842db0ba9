/** What the decisions about a plan are made from, and what they come to. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { PlannedWorkload, RebalancePlanSpec, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import type { EpochMs } from '@/lib/std/clock'
import type { Reason, Step } from '../../plan'
import type { Binding, SchedulerProfile } from '../../placement'
import type { PolicySubject } from '../policy'
import type { WorkloadRef } from '../sync-status'

/** The plan as far as decisions read it. */
export interface PlanSubject {
  name: string
  uid: string
  generation: number
  spec: RebalancePlanSpec
  status: RebalancePlanStatus
}

/** The world around a plan. */
export interface PlanWorld {
  /** By `workloadKey`. */
  bindings: ReadonlyMap<string, Binding>
  clusters: readonly Cluster[]
  policies?: readonly PolicySubject[]
  /** How the scheduler in charge behaves; default ours. */
  profile?: SchedulerProfile
  now: EpochMs
}

export interface RunSnapshot extends PlanWorld {
  plan: PlanSubject
  /**
   * Since when each workload is where it is, by `sinceKey`, as whoever decides has seen it himself: a clock that was
   * set, or another one before a change of leader, must neither end nor prolong a wait at once.
   */
  since: ReadonlyMap<string, EpochMs>
}

/** Where the wait of a workload at a stage is counted from. */
export function sinceKey(workloadKey: string, stage: string): string {
  return `${workloadKey}#${stage}`
}

/** What is written to a binding, as a merge patch; the writer adds the version that was decided on. */
export interface BindingPatch {
  metadata?: { annotations: Record<string, string> }
  spec: Record<string, unknown>
}

/**
 * `trigger`: ask for a fresh scheduling, old copies protected. `restore`: write a recorded distribution. `release`: the
 * new copies are ready, let the old ones go. `withdraw`: the scheduler did nothing; take the request and the protection
 * back. `protect`: somebody took the protection away too early.
 */
export type RunAct = 'trigger' | 'restore' | 'release' | 'withdraw' | 'protect'

export type RunStep = Step<RunAct, { workload: WorkloadRef; patch: BindingPatch }>

/** What was found about one workload. */
export interface Assessment {
  entry: PlannedWorkload
  step?: RunStep
  /** Something that must make the plan stop and think; only the first time it is seen. */
  fault?: Reason
  /** When this wait becomes a fault. */
  dueInMs?: number
}

/** What to write and when to look again. */
export interface RunDecision {
  status: RebalancePlanStatus
  steps: RunStep[]
  requeueAfterMs?: number
  /** What is new and worth an event about the plan. */
  news: readonly (Reason & { type: 'Normal' | 'Warning' })[]
}
