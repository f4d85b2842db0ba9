/** Migration from client-side apply to server-side apply. */
import { compareValues } from './compare'
import { difference, type FieldSet } from './field-set'
import type { FieldType } from './field-type'
import { fieldsOf } from './fields-of'

/** Returns the fields of an applied configuration whose live values are unchanged. */
export function unchangedFields(applied: unknown, live: unknown, type: FieldType): FieldSet {
  const { touched, removed } = compareValues(applied, live, type)
  return difference(difference(fieldsOf(applied, type), touched), removed)
}
