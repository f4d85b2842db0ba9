/**
 * Objects that were sent with empty lists or maps. They are kept without them, and where a typed server compares what was sent
 * with what was kept, every such write is a change.
 */
import { isFields } from '@/lib/std/fields'
import { omit } from '@/lib/std/omit'
import type { UnknownObject } from './object'
import { ownProperty, type StructuralSchema } from './schema'

/** A symbol is copied with the object's fields. */
const SENT_EMPTY = Symbol('sent with empty lists or maps')

type Marked = UnknownObject & { [SENT_EMPTY]?: true }

/** The object, marked if a part of it, as it was sent, holds such a value. */
export function markedIfEmpty(object: UnknownObject, sent: unknown, schema: StructuralSchema): UnknownObject {
  return holdsEmpty(sent, schema) ? ({ ...object, [SENT_EMPTY]: true } as Marked) : object
}

export const wasSentEmpty = (object: UnknownObject): boolean => (object as Marked)[SENT_EMPTY] === true

export function withoutEmptyMark(object: UnknownObject): UnknownObject {
  return wasSentEmpty(object) ? (omit(object as Marked, SENT_EMPTY) as UnknownObject) : object
}

/** A text of bytes is a list to a typed server. */
function holdsEmpty(value: unknown, schema: StructuralSchema): boolean {
  const { items, additionalProperties, format } = schema
  if (Array.isArray(value)) return value.length === 0 || (items ? value.some((item) => holdsEmpty(item, items)) : false)
  if (!isFields(value)) return value === '' && format === 'byte'
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined
  if (values && Object.keys(value).length === 0) return true
  return Object.entries(value).some(([name, child]) => {
    const own = ownProperty(schema, name) ?? values
    return own !== undefined && holdsEmpty(child, own)
  })
}
