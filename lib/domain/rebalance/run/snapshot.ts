/** Input and result of decisions about a plan. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { PlannedWorkload, RebalancePlanSpec, RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import type { Message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import type { InEnglish, Reason, Step } from '../../plan'
import type { Binding, SchedulerProfile } from '../../placement'
import type { PolicySubject } from '../policy'
import type { WorkloadRef } from '../sync-status'

/** The fields of a plan that decisions read. */
export interface PlanSubject {
  name: string
  uid: string
  generation: number
  spec: RebalancePlanSpec
  status: RebalancePlanStatus
}

/** Input of decisions about any plan, besides the plan. */
export interface PlanContext {
  /** Keyed by `workloadKey`. */
  bindings: ReadonlyMap<string, Binding>
  clusters: readonly Cluster[]
  policies?: readonly PolicySubject[]
  /** Behavior of the responsible scheduler; default: this product's. */
  profile?: SchedulerProfile
  /** For the status, whose messages are text. */
  english: InEnglish
  now: EpochMs
}

export interface RunSnapshot extends PlanContext {
  plan: PlanSubject
  /**
   * When this process first observed each workload at its stage, keyed by `sinceKey`. Clock changes and the clock of
   * another leader therefore neither end nor extend a timeout.
   */
  since: ReadonlyMap<string, EpochMs>
  /** How many requests the scheduler may have pending; see `nextPace`. Default: a whole wave. */
  pace?: number
  /** When the scheduler was last observed at work that it had before the requests of the plan; see `Backlog`. */
  busyAt?: EpochMs
  /** When the scheduler was last observed at that, or at a workload of the plan; set by `decideNextStep`. */
  progressAt?: EpochMs
}

/** Returns the key under which the start of a workload's stage is stored. */
export function sinceKey(workloadKey: string, stage: string): string {
  return `${workloadKey}#${stage}`
}

/** A merge patch for a binding; the writer adds the resourceVersion on which the decision is based. */
export interface BindingPatch {
  metadata?: { annotations: Record<string, string> }
  spec: Record<string, unknown>
}

/**
 * `trigger`: request a fresh scheduling, with old replicas protected. `restore`: write a recorded distribution.
 * `release`: the new replicas are ready, delete the old ones. `yield`: the scheduler gave a protected cluster more
 * replicas; let it scale up. `recall`: the scheduler did not act; remove the request.
 * `withdraw`: it will not act any more; remove the request and the protection. `protect`: another client removed the
 * protection too early; add it again.
 */
export type RunAction = 'trigger' | 'restore' | 'release' | 'yield' | 'recall' | 'withdraw' | 'protect'

export type RunStep = Step<RunAction, { workload: WorkloadRef; patch: BindingPatch }, Message | string>

export type RunReason = Reason<Message | string>

/** The state of one workload. */
export interface Assessment {
  entry: PlannedWorkload
  step?: RunStep
  /** A fault that holds the plan; set only in the decision that finds it. */
  fault?: RunReason
  /** Time until the timeout of this stage, or of unknown ready replicas, becomes a fault. */
  dueInMs?: number
  /** Too few replicas are reported ready, but clusters without a report may have the others. No wave begins meanwhile. */
  isUnknown?: true
}

/** What to write, and when to decide again. */
export interface RunDecision {
  status: RebalancePlanStatus
  steps: RunStep[]
  requeueAfterMs?: number
  /** Events about the plan. */
  news: readonly (RunReason & { type: 'Normal' | 'Warning' })[]
}
