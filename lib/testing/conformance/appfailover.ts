/** Passes of the application failover loop over one binding, one after the other, against recorded ones. */
import {
  type ApplicationPlan, applicationRuleOf, assessApplication, exemptionOf, type FailoverBinding, type HealthRecord, upstreamFailoverProfile,
} from '../../domain/failover'
import type { AggregatedStatusItem, BindingSpec, GracefulEvictionTask, TargetCluster } from '../../kube/kinds/binding'
import { differs, firstOf } from './compare'
import type { Case, Judge, Suite } from './suite'

interface Step {
  atMillis: number
  aggregatedStatus?: AggregatedStatusItem[]
  clusters?: TargetCluster[]
  clearGracefulEvictionTasks?: boolean
  delete?: boolean
  recreate?: boolean
}

interface Input extends Pick<BindingSpec, 'resource' | 'propagateDeps' | 'failover' | 'clusters' | 'gracefulEvictionTasks'> {
  kind: string
  featureGates: { StatefulFailoverInjection: boolean; GracefulEviction: boolean }
  interpretHealthEnabled: boolean
  aggregatedStatus?: AggregatedStatusItem[]
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

/** The binding as it is stored, and what the loop remembers of it. */
interface World {
  binding: FailoverBinding | undefined
  record: HealthRecord
}

function judge({ input, output }: Case<Input, { trace: Traced[] }>): string | undefined {
  const world: World = { binding: initial(input, input.aggregatedStatus), record: new Map() }
  return firstOf(...output.trace.map((expected, index) => {
    const step = input.steps[index]!
    change(world, step, input)
    return differs(`step ${index}`, pass(world, step.atMillis, input), comparable(expected))
  }))
}

function initial(input: Input, aggregatedStatus: AggregatedStatusItem[] | undefined): FailoverBinding {
  const { kind, resource, propagateDeps, failover, clusters = [], gracefulEvictionTasks } = input
  const namespace = kind === 'ResourceBinding' ? { namespace: 'default' } : {}
  return {
    kind, metadata: { name: 'recorded', ...namespace },
    spec: { resource, propagateDeps, failover, clusters, gracefulEvictionTasks } as BindingSpec,
    status: { ...(aggregatedStatus && { aggregatedStatus }) },
  }
}

function change(world: World, step: Step, input: Input): void {
  if (step.delete) world.binding = undefined
  if (step.recreate) world.binding = initial(input, step.aggregatedStatus)
  if (!world.binding) return
  const { spec, status } = world.binding
  const { aggregatedStatus, clusters, clearGracefulEvictionTasks } = step
  world.binding = {
    ...world.binding,
    spec: { ...spec, ...(clusters && { clusters }), ...(clearGracefulEvictionTasks && { gracefulEvictionTasks: [] }) },
    status: { ...status, ...(aggregatedStatus && { aggregatedStatus }) },
  }
}

function pass(world: World, now: number, input: Input): object {
  const plan = assess(world, now, input)
  world.record = plan?.record ?? new Map()
  if (world.binding && plan?.spec) world.binding = { ...world.binding, spec: { ...world.binding.spec, ...plan.spec } }
  const { clusters = [], gracefulEvictionTasks = [] } = world.binding?.spec ?? {}
  return {
    considered: plan !== undefined, updated: plan?.spec !== undefined, error: plan?.error ?? '', clusters, gracefulEvictionTasks,
    requeueAfterSeconds: plan?.requeueAfterMs === undefined ? null : plan.requeueAfterMs / 1000,
    unhealthySinceMillis: Object.fromEntries([...world.record].map(([cluster, { failedSince }]) => [cluster, failedSince])),
  }
}

function assess({ binding, record }: World, now: number, input: Input): ApplicationPlan | undefined {
  const rule = binding && applicationRuleOf(binding)
  if (!rule || exemptionOf(binding, input.interpretHealthEnabled)) return undefined
  const { StatefulFailoverInjection: preserveState, GracefulEviction: gracefulEviction } = input.featureGates
  return assessApplication({ now, binding, rule, record, profile: upstreamFailoverProfile, gates: { preserveState, gracefulEviction } })
}

function comparable({ considered, updated, error = '', clusters, gracefulEvictionTasks, requeueAfterSeconds, unhealthySinceMillis }: Traced): object {
  return {
    considered, updated, error, clusters: clusters ?? [], gracefulEvictionTasks: gracefulEvictionTasks ?? [],
    requeueAfterSeconds, unhealthySinceMillis,
  }
}

export const suite: Suite = { name: 'appfailover', judge: judge as Judge }
