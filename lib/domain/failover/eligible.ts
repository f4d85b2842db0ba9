/** Decides which bindings application failover covers. */
import type { FailoverBinding } from './binding'

/** Why application failover ignores a binding. */
export type Exemption = 'noFailoverRule' | 'noStatus' | 'noHealthRule' | 'dependenciesStay'

/**
 * Returns why application failover ignores a binding; undefined if it does not. `hasHealthRule`: whether an interpreter
 * judges the health of the kind. Dependencies must move with the workload, which is possible only for namespaced
 * templates.
 */
export function exemptionOf({ kind, spec, status }: FailoverBinding, hasHealthRule: boolean): Exemption | undefined {
  if (!spec.failover?.application) return 'noFailoverRule'
  if (kind !== 'ClusterResourceBinding' && !spec.propagateDeps) return 'dependenciesStay'
  if (!hasHealthRule) return 'noHealthRule'
  return status?.aggregatedStatus?.length ? undefined : 'noStatus'
}
