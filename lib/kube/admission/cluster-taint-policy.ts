/** ClusterTaintPolicy: what its webhook refuses. */
import { repeats } from '@/lib/std/repeats'
import { type FieldError, forbiddenField, invalidField, textOfFindings } from '../field-error'
import type { ClusterTaintPolicy } from '../kinds'
import type { KindRules } from '../rules'
import { denied } from './webhook'

const NO_EXECUTE =
  'Configuring taint with NoExecute effect is not allowed, this capability must be explicitly enabled by administrators through command-line flags'

type Spec = ClusterTaintPolicy['spec']

/**
 * Rules of ClusterTaintPolicy. NoExecute is admitted, as with Karmada's flag, because workloads are evicted here, too.
 */
export const clusterTaintPolicyRules: KindRules = {
  generation: 'spec',
  review: (object) => {
    const problem = textOfFindings(
      validateTaintPolicy((object as unknown as ClusterTaintPolicy).spec, { allowNoExecute: true }),
    )
    if (problem) throw denied('clustertaintpolicy.karmada.io', problem)
  },
}

/** Validates the taints of a policy. */
export function validateTaintPolicy({ taints }: Spec, { allowNoExecute }: { allowNoExecute: boolean }): FieldError[] {
  const isRepeated = repeats()
  return taints.flatMap((taint, index) => {
    const field = `spec.taints[${index}]`
    const repeated = isRepeated(JSON.stringify([taint.key, taint.effect]))
    return [
      ...(taint.effect === 'NoExecute' && !allowNoExecute ? [forbiddenField(field, NO_EXECUTE)] : []),
      ...(repeated
        ? [
            invalidField(
              field,
              taint,
              `Duplicate taint with the same key(${taint.key}) and effect(${taint.effect}) is not allowed`,
            ),
          ]
        : []),
    ]
  })
}
