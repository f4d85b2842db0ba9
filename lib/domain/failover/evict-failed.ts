/** The evictions of an application failover, with the state that they preserve. */
import type { BindingSpec } from '../../kube/kinds/binding'
import { type EpochMs, formatTime } from '../../std/clock'
import { evictCluster, type EvictedSpec, type EvictionCause } from '../eviction'
import type { FailoverBinding } from './binding'
import { preservedState, StateError } from './preserve-state'
import type { ApplicationRule } from './rule'

/** Parts of upstream that its feature gates switch. */
export interface EvictionGates {
  /** New replicas get the state that the rule preserves (StatefulFailoverInjection). */
  preserveState: boolean
  /** Old replicas may stay until the new ones are healthy (GracefulEviction). */
  gracefulEviction: boolean
}

/** Why application failover evicts, as upstream writes it into tasks. */
export const APPLICATION_FAILURE = 'ApplicationFailure'

/** Who evicts, as upstream names itself for each kind. */
export function applicationFailoverProducer({ metadata }: Pick<FailoverBinding, 'metadata'>): string {
  return `${metadata.namespace === undefined ? 'cluster-' : ''}resource-binding-application-failover-controller`
}

/** The binding that fails, its rule, and what is switched on. */
export interface FailedBinding {
  binding: FailoverBinding
  rule: ApplicationRule
  gates: EvictionGates
  /** When the tasks begin; absent, as upstream: when the eviction loop sees them. */
  begunAt?: EpochMs
  /** Called with what cannot be preserved and is left out; absent, as upstream: it prevents the eviction. */
  onUnpreserved?: (text: string) => void
}

/**
 * The result without these clusters, each with its task; undefined when none is left, a text when the task of one cannot
 * be made, and then none is.
 */
export function evictFailed(failed: FailedBinding, clusters: readonly string[]): EvictedSpec | string | undefined {
  try {
    const causes = clusters.map((cluster) => ({ cluster, cause: causeOf(failed, cluster) }))
    return evictAll(failed.binding.spec, causes)
  } catch (error) {
    if (error instanceof StateError) return error.message
    throw error
  }
}

function evictAll(
  before: BindingSpec,
  causes: readonly { cluster: string; cause: EvictionCause }[],
): EvictedSpec | undefined {
  let evicted: EvictedSpec | undefined
  for (const { cluster, cause } of causes) evicted = evictCluster({ ...before, ...evicted }, cluster, cause) ?? evicted
  return evicted
}

function causeOf(failed: FailedBinding, cluster: string): EvictionCause {
  const {
    binding,
    rule: { purgeMode, gracePeriodSeconds },
    gates,
  } = failed
  const state = stateOf(failed, cluster)
  if (purgeMode === 'Gracefully' && !gates.gracefulEviction) {
    // upstream: pkg/controllers/applicationfailover, buildTaskOptions
    throw new StateError('GracefulEviction featureGate must be enabled when purgeMode is Gracefully')
  }
  return {
    producer: applicationFailoverProducer(binding),
    reason: APPLICATION_FAILURE,
    purgeMode,
    ...state,
    ...(failed.begunAt !== undefined && { creationTimestamp: formatTime(failed.begunAt) }),
    ...(purgeMode === 'Gracefully' && gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(purgeMode === 'Never' && { suppressDeletion: true }),
  }
}

/** What is preserved, and where the workload was: clusters that had the workload before get no state. */
function stateOf({ binding, rule, gates, onUnpreserved }: FailedBinding, cluster: string): Partial<EvictionCause> {
  if (!gates.preserveState || rule.preservedState.length === 0) return {}
  const item = binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster)
  if (item?.status === undefined || item.status === null) {
    // upstream: pkg/controllers/applicationfailover, buildTaskOptions
    const text = `the application status has not yet been collected from Cluster(${cluster})`
    if (!onUnpreserved) throw new StateError(text)
    onUnpreserved(text)
    return {}
  }
  return {
    preservedLabelState: preservedState(rule.preservedState, item.status, onUnpreserved),
    clustersBeforeFailover: (binding.spec.clusters ?? []).map(({ name }) => name),
  }
}
