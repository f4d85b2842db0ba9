import type { Placement, SpreadConstraint } from '../kinds/placement'

/** The placement as the webhook of the policies completes it. */
export function completePlacement(placement: Placement): Placement {
  const { spreadConstraints, replicaScheduling } = placement
  const divided = replicaScheduling?.replicaSchedulingType === 'Divided'
  return {
    ...placement,
    ...(spreadConstraints && { spreadConstraints: spreadConstraints.map(completeConstraint) }),
    ...(divided && {
      replicaScheduling: {
        ...replicaScheduling,
        replicaDivisionPreference: replicaScheduling.replicaDivisionPreference ?? 'Weighted',
      },
    }),
  }
}

function completeConstraint(constraint: SpreadConstraint): SpreadConstraint {
  const byCluster = !constraint.spreadByLabel && !constraint.spreadByField
  return {
    ...constraint,
    ...(byCluster && { spreadByField: 'cluster' as const }),
    minGroups: constraint.minGroups || 1,
  }
}
