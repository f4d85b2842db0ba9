/** Which bindings application failover looks at. */
import type { FailoverBinding } from './binding'

/** Why a binding is left alone; undefined when it is looked at. */
export type Exemption = 'noFailoverRule' | 'noStatus' | 'noHealthRule' | 'dependenciesStay'

/**
 * Returns why application failover ignores a binding. `hasHealthRule`: whether an interpreter judges the health of its
 * kind. Dependencies have to move with the workload, which only those of namespaced templates can.
 */
export function exemptionOf({ kind, spec, status }: FailoverBinding, hasHealthRule: boolean): Exemption | undefined {
  if (!spec.failover?.application) return 'noFailoverRule'
  if (kind !== 'ClusterResourceBinding' && !spec.propagateDeps) return 'dependenciesStay'
  if (!hasHealthRule) return 'noHealthRule'
  return status?.aggregatedStatus?.length ? undefined : 'noStatus'
}
