/** Merges policy fields for an object that several templates need and whose policies disagree. */
import type { BindingSpec } from '../../kube/kinds/binding'

type MergeableFields = Pick<BindingSpec, 'conflictResolution' | 'preserveResourcesOnDeletion'>

export interface MergedPolicy {
  fields: MergeableFields
  /** Contradictions, as text for an event. */
  conflicts: readonly string[]
}

/**
 * Merges the fields: Overwrite wins over Abort, and preserving wins. Without referrers, returns the values of a new
 * binding.
 */
export function mergeReferrers(referrers: readonly { spec: MergeableFields }[]): MergedPolicy {
  const overwrite = referrers.map(({ spec }) => spec.conflictResolution === 'Overwrite')
  const preserve = referrers.map(({ spec }) => spec.preserveResourcesOnDeletion === true)
  return {
    fields: {
      // The API server's default.
      conflictResolution: overwrite.includes(true) ? 'Overwrite' : 'Abort',
      preserveResourcesOnDeletion: referrers.length > 0 ? preserve.includes(true) : undefined,
    },
    conflicts: [
      ...(isMixed(overwrite) ? ['ConflictResolution conflicted (Overwrite vs Abort)'] : []),
      ...(isMixed(preserve) ? ['PreserveResourcesOnDeletion conflicted (true vs false)'] : []),
    ],
  }
}

const isMixed = (answers: readonly boolean[]): boolean => answers.includes(true) && answers.includes(false)
