/**
 * Reads the rule of application failover from the fields of a policy and the annotations that replace missing fields.
 */
import type { FailoverBehavior } from '../../kube/kinds/failover'
import { FAILOVER_DEFAULTS } from '../../kube/failover-defaults'
import { presentPurgeMode, type PurgeMode } from '../../kube/purge-mode'
import { APPLICATION_RULE_ANNOTATION } from './annotations'
import type { FailoverBinding, PolicyWords } from './binding'
import { readObject } from './read-json'

/** `spec.failover.application`. */
export type ApplicationFailover = NonNullable<FailoverBehavior['application']>

/** A health state that counts as failed. */
export type FailedState = 'Unhealthy' | 'Unknown'

/** The rule with all defaults applied; times in milliseconds. */
export interface ApplicationRule {
  /** How long a failure is tolerated. */
  tolerationMs: number
  failedStates: readonly FailedState[]
  /** Failures count only after this time since the first collected status. */
  delayMs: number
  /** Failures count only in clusters where the workload was healthy before. */
  onlyOnceHealthy: boolean
  purgeMode: PurgeMode
  /** Grace period of the old replicas, as in the task; absent: the default of the graceful eviction controller. */
  gracePeriodSeconds?: number
  /** How long the cluster is excluded after the eviction; Infinity: until the history is cleared. */
  blockMs: number
  preservedState: readonly { aliasLabelName: string; jsonPath: string }[]
}

/**
 * Returns the rule of a binding; undefined without application failover. `policy` is the one that created it, for its
 * annotation. Values that are not valid numbers count as absent.
 */
export function applicationRuleOf(
  { metadata, spec }: Pick<FailoverBinding, 'metadata' | 'spec'>,
  policy?: PolicyWords,
): ApplicationRule | undefined {
  const own = spec.failover?.application
  if (!own) return undefined
  const said = [
    own,
    ...[metadata, policy?.metadata].map((place) => readObject(place?.annotations?.[APPLICATION_RULE_ANNOTATION])),
  ]
  const { gracePeriodSeconds, statePreservation } = own
  return {
    tolerationMs: (own.decisionConditions?.tolerationSeconds ?? FAILOVER_DEFAULTS.tolerationSeconds) * 1000,
    failedStates: failedStates(first(said, 'decisionConditions', 'healthyState')),
    delayMs: secondsIn(first(said, 'preConditions', 'delaySeconds'), 0) * 1000,
    onlyOnceHealthy: first(said, 'preConditions', 'healthyState') === 'Healthy',
    purgeMode: presentPurgeMode(own.purgeMode) ?? 'Gracefully',
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    blockMs:
      (secondsIn(first(said, 'blockPredecessorSeconds'), FAILOVER_DEFAULTS.blockPredecessorSeconds) || Infinity) * 1000,
    preservedState: statePreservation?.rules ?? [],
  }
}

/** Returns the first value at that path. */
function first(said: readonly (object | undefined)[], ...path: readonly string[]): unknown {
  for (const one of said) {
    const value = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined | null)?.[name], one)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function secondsIn(value: unknown, absent: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : absent
}

function failedStates(value: unknown): FailedState[] {
  const states = Array.isArray(value)
    ? value.filter((state): state is FailedState => state === 'Unhealthy' || state === 'Unknown')
    : []
  return states.length > 0 ? states : ['Unhealthy']
}
