/** Conflict errors of an apply. */
import { kubeError, type KubeError } from '../errors'
import { type ManagedFieldsEntry, ownerId, type Owners } from './entry'
import { difference, type FieldSet, isEmpty, pathsOf } from './field-set'
import { sortElements, showPath } from './path-element'

/** The fields of each owner that an apply would change. Never empty. */
export type Conflicts = Owners

/** Returns the conflicts without those about the allowed fields. */
export function conflictsBeyond(conflicts: Conflicts, allowed: FieldSet): Conflicts {
  return conflicts.flatMap((entry) => {
    const fieldsV1 = difference(entry.fieldsV1, allowed)
    return isEmpty(fieldsV1) ? [] : [{ ...entry, fieldsV1 }]
  })
}

/** The refusal (409) with a cause for every field. */
export function conflictError(conflicts: Conflicts): KubeError {
  const owners = conflicts
    .toSorted((a, b) => (ownerId(a) < ownerId(b) ? -1 : 1))
    .map((entry) => ({ owner: describe(entry), paths: pathsOf(entry.fieldsV1, sortElements).map(showPath) }))
  const causes = owners.flatMap(({ owner, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
  )
  const [only] = causes
  const message =
    causes.length === 1 && only
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${owners
          .map(({ owner, paths }) => [`conflicts with ${owner}:`, ...paths.map((path) => `- ${path}`)].join('\n'))
          .join('\n')}`
  return kubeError(409, 'Conflict', message, { causes })
}

function describe({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  const via = subresource ? ` with subresource ${JSON.stringify(subresource)}` : ''
  return `${JSON.stringify(manager)}${via}${operation === 'Update' ? ` using ${apiVersion}` : ''}`
}
