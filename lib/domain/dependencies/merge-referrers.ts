/** What holds for an object that several templates need, when their policies do not agree. */
import type { BindingSpec } from '../../kube/kinds/binding'

type Wishes = Pick<BindingSpec, 'conflictResolution' | 'preserveResourcesOnDeletion'>

export interface MergedPolicy {
  fields: Wishes
  /** What they do not agree about, in words for people. */
  conflicts: readonly string[]
}

/** The stronger wish wins: to overwrite, and to preserve. Without referrers, what a new binding has. */
export function mergeReferrers(referrers: readonly { spec: Wishes }[]): MergedPolicy {
  const overwrite = referrers.map(({ spec }) => spec.conflictResolution === 'Overwrite')
  const preserve = referrers.map(({ spec }) => spec.preserveResourcesOnDeletion === true)
  return {
    fields: {
      // What a server fills in when it is absent.
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
