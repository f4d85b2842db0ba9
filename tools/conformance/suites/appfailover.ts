/** Reconciles of application failover for one binding, compared with recorded ones. */
import {
  type ApplicationPlan,
  applicationRuleOf,
  assessApplication,
  exemptionOf,
  type FailoverBinding,
  type FailoverProfile,
  type HealthRecord,
  upstreamFailoverProfile,
} from '@/lib/domain/failover'
import type { AggregatedStatusItem, BindingSpec, GracefulEvictionTask, TargetCluster } from '@/lib/kube/kinds/binding'
import { english } from '@/lib/messages/english'
import { differs, firstOf } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Step {
  atMillis: number
  aggregatedStatus?: AggregatedStatusItem[]
  clusters?: TargetCluster[]
  clearGracefulEvictionTasks?: boolean
  delete?: boolean
  recreate?: boolean
}

/** Initial state of a sequence of reconciles. */
export interface FailoverInput extends Pick<
  BindingSpec,
  'resource' | 'propagateDeps' | 'failover' | 'clusters' | 'gracefulEvictionTasks' | 'suspension'
> {
  kind: string
  featureGates: { StatefulFailoverInjection: boolean; GracefulEviction: boolean }
  interpretHealthEnabled: boolean
  aggregatedStatus?: AggregatedStatusItem[]
  /** The scheduler's error if the workload were evicted; absent if it could be scheduled. */
  lackOfSuccessor?: string
  steps: Step[]
}

interface Traced {
  considered: boolean
  requeueAfterSeconds: number | null
  updated: boolean
  error?: string
  clusters: TargetCluster[] | null
  gracefulEvictionTasks: GracefulEvictionTask[] | null
  unhealthySinceMillis: Record<string, number>
}

/** The stored binding, and the memory of the controller. */
interface State {
  binding: FailoverBinding | undefined
  record: HealthRecord
}

function judge({ input, output }: Case<FailoverInput, { trace: Traced[] }>): string | undefined {
  const traced = tracePasses(input, upstreamFailoverProfile)
  return firstOf(
    ...output.trace.map((expected, index) => differs(`step ${index}`, traced[index], comparable(expected))),
  )
}

/** What every pass decided and left. */
export function tracePasses(input: FailoverInput, profile: FailoverProfile): object[] {
  const state: State = { binding: initial(input, input.aggregatedStatus), record: new Map() }
  return input.steps.map((step) => {
    change(state, step, input)
    return pass(state, step.atMillis, { input, profile })
  })
}

function initial(input: FailoverInput, aggregatedStatus: AggregatedStatusItem[] | undefined): FailoverBinding {
  const { kind, resource, propagateDeps, failover, clusters = [], gracefulEvictionTasks, suspension } = input
  const namespace = kind === 'ResourceBinding' ? { namespace: 'default' } : {}
  return {
    kind,
    metadata: { name: 'recorded', ...namespace },
    spec: { resource, propagateDeps, failover, clusters, gracefulEvictionTasks, suspension } as BindingSpec,
    status: { ...(aggregatedStatus && { aggregatedStatus }) },
  }
}

function change(state: State, step: Step, input: FailoverInput): void {
  if (step.delete) state.binding = undefined
  if (step.recreate) state.binding = initial(input, step.aggregatedStatus)
  if (!state.binding) return
  const { spec, status } = state.binding
  const { aggregatedStatus, clusters, clearGracefulEvictionTasks } = step
  state.binding = {
    ...state.binding,
    spec: { ...spec, ...(clusters && { clusters }), ...(clearGracefulEvictionTasks && { gracefulEvictionTasks: [] }) },
    status: { ...status, ...(aggregatedStatus && { aggregatedStatus }) },
  }
}

interface Setting {
  input: FailoverInput
  profile: FailoverProfile
}

function pass(state: State, now: number, setting: Setting): object {
  const plan = assess(state, now, setting)
  state.record = plan?.record ?? new Map()
  if (state.binding && plan?.spec) state.binding = { ...state.binding, spec: { ...state.binding.spec, ...plan.spec } }
  const { clusters = [], gracefulEvictionTasks = [] } = state.binding?.spec ?? {}
  return {
    considered: plan !== undefined,
    // Upstream writes a binding that loses a cluster which it does not have, too.
    updated: (plan?.left.length ?? 0) > 0,
    error: english.of(plan?.error ?? ''),
    clusters,
    gracefulEvictionTasks,
    requeueAfterSeconds: plan?.requeueAfterMs === undefined ? null : plan.requeueAfterMs / 1000,
    unhealthySinceMillis: Object.fromEntries(
      [...state.record].map(([cluster, { failedSince }]) => [cluster, failedSince]),
    ),
  }
}

function assess({ binding, record }: State, now: number, { input, profile }: Setting): ApplicationPlan | undefined {
  const rule = binding && applicationRuleOf(binding)
  if (!rule || exemptionOf(binding, input.interpretHealthEnabled)) return undefined
  const { StatefulFailoverInjection: preserveState, GracefulEviction: gracefulEviction } = input.featureGates
  return assessApplication({
    now,
    binding,
    rule,
    record,
    profile,
    gates: { preserveState, gracefulEviction },
    lackOfSuccessor: input.lackOfSuccessor,
  })
}

function comparable({
  considered,
  updated,
  error = '',
  clusters,
  gracefulEvictionTasks,
  requeueAfterSeconds,
  unhealthySinceMillis,
}: Traced): object {
  return {
    considered,
    updated,
    error,
    clusters: clusters ?? [],
    gracefulEvictionTasks: gracefulEvictionTasks ?? [],
    requeueAfterSeconds,
    unhealthySinceMillis,
  }
}

export const suite: Suite = { name: 'appfailover', judge: judge as Judge }
