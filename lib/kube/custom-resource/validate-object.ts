/** What an object of a custom kind is refused for: by its schema, its scale, its parts, its lists, and its rules at last. */
import { omit } from '@/lib/std/omit'
import type { FieldError } from '../field-error'
import type { Kind } from '../kind'
import type { UnknownObject } from '../object'
import type { WriteContext } from '../rules'
import { validateSchemaChange } from '../schema-validate'
import { validateEmbedded } from './embedded'
import { validateListTypes, validateListTypesChange } from './list-types'
import { validateScaleSpec, validateScaleStatus } from './scale-values'
import { validateRules } from './validate-rules'

/** A new or a changed object. */
interface Change {
  next: UnknownObject
  /** The object before an update. */
  old?: UnknownObject | undefined
  warn?: WriteContext['warn'] | undefined
}

/** The findings about a whole object. */
export function validateCustomObject({ schema, subresources: { scale } }: Kind, change: Change): FieldError[] {
  const { next } = change
  const [content, before] = contentsOf(change)
  const found = [
    ...validateSchemaChange(content, schema, { field: '', body: '', old: before }),
    ...(scale ? [...validateScaleSpec(next, scale), ...validateScaleStatus(next, scale)] : []),
    ...validateEmbedded(next, schema),
    ...validateListTypesChange(content, before, schema),
  ]
  return [...found, ...askRules(schema, change, found)]
}

/** The findings about the status of an object. Lists and rules look at all of it. */
export function validateCustomStatus({ schema, subresources: { scale } }: Kind, change: Change): FieldError[] {
  const { next, old } = change
  const status = schema.properties?.status
  const [content, before] = contentsOf(change)
  const found = [
    ...(status && next.status !== undefined
      ? validateSchemaChange(next.status, status, { field: 'status', body: '', old: old?.status })
      : []),
    ...(scale ? validateScaleStatus(next, scale) : []),
    ...validateListTypesChange(content, before, schema),
  ]
  return [...found, ...askRules(schema, change, found)]
}

/** What lists and rules find in a new object that claims to be of another kind: its schema is not asked. */
export function validateMisnamed({ schema }: Kind, next: UnknownObject): FieldError[] {
  const found = [...validateEmbedded(next, schema), ...validateListTypes(omit(next, 'metadata'), schema)]
  return [...found, ...askRules(schema, { next }, found)]
}

function contentsOf({ next, old }: Change): [next: object, old: object | undefined] {
  return [omit(next, 'metadata'), old && omit(old, 'metadata')]
}

function askRules(schema: Kind['schema'], { next, old, warn }: Change, found: readonly FieldError[]): FieldError[] {
  return validateRules(schema, { value: next, old, field: '' }, { found, warn })
}
