/** Amounts, times and bytes inside of objects: where a schema has them, and the form in which a typed server writes them back. */
import { ownField } from '@/lib/std/fields'
import { mapFields, mapItems } from '@/lib/std/map-json'
import { encodeBytes } from '@/lib/std/base64'
import { objectMeta } from './object-meta'
import { formatQuantity, type Quantity, tryParseQuantity } from './quantity'
import { quantity, type StructuralSchema } from './schema'
import { anyPart } from './schema-parts'
import { canonicalTime, isTime } from './schema-time'

const { pattern: QUANTITY } = quantity()

/** True for the schema of a resource quantity. */
export function isQuantity(schema: StructuralSchema): boolean {
  return schema.pattern === QUANTITY && schema['x-kubernetes-int-or-string'] === true
}

const isBytes = ({ type, format }: StructuralSchema): boolean => type === 'string' && format === 'byte'

/** Reports whether a schema contains such values. The times in metadata are the server's own. */
const holdsSome = anyPart(
  (schema) => isQuantity(schema) || isTime(schema) || isBytes(schema),
  new WeakMap([[objectMeta, false]]),
)

/**
 * Returns the value in canonical form: `1000m` as `1`, `2` as the text "2", times in UTC, and so on. Other values are
 * unchanged, and canonical ones are shared; `name` is the field of the value.
 */
export function canonicalForms(value: unknown, schema: StructuralSchema, name = ''): unknown {
  if (value === undefined || value === null || !holdsSome(schema)) return value
  if (isQuantity(schema)) return canonicalAmount(value)
  if (isBytes(schema)) return Array.isArray(value) ? encodeBytes(value as number[]) : value
  if (isTime(schema)) return canonicalTime(value, name)
  const { items, properties = {}, additionalProperties: values } = schema
  if (Array.isArray(value)) return items ? mapItems(value, (item) => canonicalForms(item, items)) : value
  if (typeof value !== 'object') return value
  return mapFields(value as Record<string, unknown>, (child, field) => {
    const own = ownField(properties, field) ?? (typeof values === 'object' ? values : undefined)
    // An amount is no pointer: in a map, null is the zero.
    if (child === null && own === values && own && isQuantity(own)) return '0'
    return own ? canonicalForms(child, own, field) : child
  })
}

/** Caches the canonical form, because the same amounts occur repeatedly. */
const texts = new WeakMap<Quantity, string>()

function canonicalAmount(value: unknown): unknown {
  const amount = typeof value === 'string' || typeof value === 'number' ? tryParseQuantity(value) : undefined
  if (!amount) return value
  const text = texts.get(amount) ?? formatQuantity(amount)
  texts.set(amount, text)
  return text
}
