/** Migration from client-side apply to server-side apply. */
import { compareValues } from './compare'
import { difference, type FieldSet } from './field-set'
import type { FieldType } from './field-type'
import { fieldsOf } from './fields-of'

/** The fields of a configuration that was applied earlier and that still are as it said. */
export function unchangedFields(applied: unknown, live: unknown, type: FieldType): FieldSet {
  const { touched, removed } = compareValues(applied, live, type)
  return difference(difference(fieldsOf(applied, type), touched), removed)
}
