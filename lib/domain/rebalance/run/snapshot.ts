/** What the decisions about a plan are made from, and what they come to. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { PlannedWorkload, RebalancePlanSpec, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import type { Message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import type { InEnglish, Reason, Step } from '../../plan'
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

/** What decisions about any plan read besides the plan. */
export interface PlanContext {
  /** By `workloadKey`. */
  bindings: ReadonlyMap<string, Binding>
  clusters: readonly Cluster[]
  policies?: readonly PolicySubject[]
  /** How the scheduler in charge behaves; default ours. */
  profile?: SchedulerProfile
  /** For the status, whose messages are text. */
  english: InEnglish
  now: EpochMs
}

export interface RunSnapshot extends PlanContext {
  plan: PlanSubject
  /**
   * Since when each workload is at its stage, by `sinceKey`, as this process observed it: a clock that was set, or that
   * of another leader, must neither end nor prolong a timeout at once.
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
 * `trigger`: request a fresh scheduling, old replicas protected. `restore`: write a recorded distribution. `release`: the
 * new replicas are ready, delete the old ones. `withdraw`: the scheduler did not act; remove the request and the
 * protection. `protect`: another client removed the protection too early; add it again.
 */
export type RunAction = 'trigger' | 'restore' | 'release' | 'withdraw' | 'protect'

export type RunStep = Step<RunAction, { workload: WorkloadRef; patch: BindingPatch }, Message | string>

export type RunReason = Reason<Message | string>

/** The state of one workload. */
export interface Assessment {
  entry: PlannedWorkload
  step?: RunStep
  /** A problem that holds the plan; only in the pass that finds it. */
  fault?: RunReason
  /** When the timeout of this stage becomes a fault. */
  dueInMs?: number
}

/** What to write and when to look again. */
export interface RunDecision {
  status: RebalancePlanStatus
  steps: RunStep[]
  requeueAfterMs?: number
  /** Events about the plan. */
  news: readonly (RunReason & { type: 'Normal' | 'Warning' })[]
}
