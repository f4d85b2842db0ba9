/** The rules of a propagation policy's spec that the schema cannot express. */
import { presentPurgeMode } from '../purge-mode'
import { type FieldError, invalidField } from '../field-error'
import type { FailoverBehavior, PropagationSpec } from '../kinds'
import { checkQualifiedName } from '../validation/formats'
import { inDeclaredOrder } from './go-json'
import { validatePlacement } from './validate-placement'

/**
 * Validates a policy, in Karmada's order of errors. `namespace` is that of a PropagationPolicy, whose selectors must
 * stay inside it; absent for a ClusterPropagationPolicy.
 */
export function validatePropagationSpec(spec: PropagationSpec, namespace: string | undefined): FieldError[] {
  return [
    ...validatePlacement(spec.placement ?? {}, 'spec.placement'),
    ...(spec.failover?.application && !spec.propagateDeps
      ? [invalidField('spec.propagateDeps', false, 'application failover is set, propagateDeps must be true')]
      : []),
    ...validateFailover(spec.failover ?? {}, 'spec.failover'),
    ...validateSelectors(spec, namespace),
    ...validateSuspension(spec.suspension),
  ]
}

function validateFailover({ application, cluster }: FailoverBehavior, field: string): FieldError[] {
  return [
    ...(application ? validateApplication(application, `${field}.application`) : []),
    ...validateAliases(cluster?.statePreservation, `${field}.cluster`),
  ]
}

type Application = NonNullable<FailoverBehavior['application']>

function validateApplication(application: Application, field: string): FieldError[] {
  const {
    blockPredecessorSeconds,
    decisionConditions,
    gracePeriodSeconds,
    preConditions,
    purgeMode,
    statePreservation,
  } = application
  const { tolerationSeconds } = decisionConditions
  return [
    ...refuseNegative(tolerationSeconds, `${field}.decisionConditions.tolerationSeconds`),
    ...validateGracePeriod(gracePeriodSeconds, purgeMode, `${field}.gracePeriodSeconds`),
    ...refuseNegative(preConditions?.delaySeconds, `${field}.preConditions.delaySeconds`),
    ...refuseNegative(blockPredecessorSeconds, `${field}.blockPredecessorSeconds`),
    ...validateAliases(statePreservation, field),
  ]
}

function refuseNegative(seconds: number | undefined, field: string): FieldError[] {
  return seconds !== undefined && seconds < 0
    ? [invalidField(field, seconds, 'must be greater than or equal to 0')]
    : []
}

function validateGracePeriod(seconds: number | undefined, purgeMode: string | undefined, field: string): FieldError[] {
  const graceful = presentPurgeMode(purgeMode) === 'Gracefully'
  if (seconds === undefined) {
    // The proposed name gets a default grace period; Karmada does not know the name and requires none.
    return purgeMode === 'Gracefully'
      ? [invalidField(field, null, 'should not be empty when purgeMode is gracefully')]
      : []
  }
  return [
    ...(graceful ? [] : [invalidField(field, seconds, 'only takes effect when purgeMode is gracefully')]),
    ...(seconds <= 0 ? [invalidField(field, seconds, 'must be greater than 0')] : []),
  ]
}

function validateAliases(preservation: Application['statePreservation'], field: string): FieldError[] {
  return (preservation?.rules ?? []).flatMap(({ aliasLabelName }, index) =>
    checkQualifiedName(aliasLabelName).map((problem) =>
      invalidField(`${field}.statePreservation.rules[${index}].aliasLabelName`, aliasLabelName, problem),
    ),
  )
}

function validateSelectors(
  { resourceSelectors, preemption }: PropagationSpec,
  namespace: string | undefined,
): FieldError[] {
  const indexed = (resourceSelectors ?? []).map((selector, index) => ({
    field: `spec.resourceSelectors[${index}]`,
    selector,
  }))
  const outside = indexed.filter(({ selector }) => namespace !== undefined && selector.namespace !== namespace)
  const nameless = indexed.filter(({ selector }) => preemption === 'Always' && !selector.name)
  return [
    ...outside.map(({ field, selector }) =>
      invalidField(
        `${field}.namespace`,
        selector.namespace ?? '',
        'namespace of resource selector must be the same as the namespace of the policy',
      ),
    ),
    ...nameless.map(({ field }) =>
      invalidField(
        `${field}.name`,
        '',
        'name cannot be empty if preemption is Always, the empty name may cause unexpected resources preemption',
      ),
    ),
  ]
}

/** The doubled `suspension` in the path is Karmada's own. */
function validateSuspension(suspension: PropagationSpec['suspension']): FieldError[] {
  if (!suspension?.dispatching || !suspension.dispatchingOnClusters?.clusterNames?.length) return []
  return [
    invalidField(
      'spec.suspension.suspension',
      inDeclaredOrder(suspension),
      'suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames',
    ),
  ]
}
