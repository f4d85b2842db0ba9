/** Builds the evictions of an application failover, with the state that they preserve. */
import type { BindingSpec } from '../../kube/kinds/binding'
import { type EpochMs, formatTime } from '../../std/clock'
import { evictCluster, type EvictedSpec, type EvictionCause } from '../eviction'
import type { FailoverBinding } from './binding'
import { preservedState, StateError } from './preserve-state'
import type { ApplicationRule } from './rule'

/** Parts of upstream behind feature gates. */
export interface EvictionGates {
  /** New replicas get the state that the rule preserves (StatefulFailoverInjection). */
  preserveState: boolean
  /** Old replicas may stay until the new ones are healthy (GracefulEviction). */
  gracefulEviction: boolean
}

/** Reason of application failover in tasks, as upstream writes it. */
export const APPLICATION_FAILURE = 'ApplicationFailure'

/** Returns the producer of tasks, which upstream names by kind. */
export function applicationFailoverProducer({ metadata }: Pick<FailoverBinding, 'metadata'>): string {
  return `${metadata.namespace === undefined ? 'cluster-' : ''}resource-binding-application-failover-controller`
}

/** The failing binding, its rule, and the feature gates. */
export interface FailedBinding {
  binding: FailoverBinding
  rule: ApplicationRule
  gates: EvictionGates
  /** Creation time of the tasks. Absent, as upstream: set later by the graceful eviction controller. */
  begunAt?: EpochMs
  /**
   * Called with state that cannot be preserved and is omitted. Absent, as upstream: such state prevents the eviction.
   */
  onUnpreserved?: (text: string) => void
}

/**
 * Returns the spec without these clusters, each with a task. Undefined if no cluster is left; an error text if the task
 * of one cannot be built, in which case none is evicted.
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

/** Returns the preserved state and the clusters before the failover, which must not receive the state. */
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
