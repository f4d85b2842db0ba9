/** A placement as the API server would store it. */
import { textOfFindings } from '../field-error'
import { placement as schema, type Placement } from '../kinds/placement'
import { applyDefaults } from '../schema-default'
import { pruneUnknown } from '../schema-prune'
import { validateSchema } from '../schema-validate'
import { completePlacement } from './complete-placement'
import { validatePlacement } from './validate-placement'

/** Returns the placement with its defaults, or what is wrong with it. An unknown field is an error, as with kubectl. */
export function checkPlacement(given: unknown): { placement: Placement } | { error: string } {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { error: 'must be an object' }
  const [unknown] = pruneUnknown(given, schema).unknownFields
  if (unknown !== undefined) return { error: `unknown field "${unknown}"` }
  const [finding] = validateSchema(given, schema, 'placement')
  if (finding) return { error: `${finding.field}: ${finding.message}` }
  const placement = completePlacement(applyDefaults(given as Placement, schema))
  const error = textOfFindings(validatePlacement(placement, 'placement'))
  return error === undefined ? { placement } : { error }
}
