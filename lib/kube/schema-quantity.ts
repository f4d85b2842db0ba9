/** Amounts inside of objects: where a schema has them, and the form in which a typed server writes them back. */
import { formatQuantity, tryParseQuantity } from './quantity'
import { quantity, type StructuralSchema } from './schema'

const { pattern: QUANTITY } = quantity()

/** True for the schema of a resource quantity. */
export function isQuantity(schema: StructuralSchema): boolean {
  return schema.pattern === QUANTITY && schema['x-kubernetes-int-or-string'] === true
}

const known = new WeakMap<StructuralSchema, boolean>()

/** Most parts of most objects hold no amounts and need not be looked into. */
function holdsAmounts(schema: StructuralSchema): boolean {
  const remembered = known.get(schema)
  if (remembered !== undefined) return remembered
  // A schema may hold itself, as that of schemas does.
  known.set(schema, false)
  const { properties = {}, items, additionalProperties: values } = schema
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...(typeof values === 'object' ? [values] : [])]
  const holds = isQuantity(schema) || parts.some(holdsAmounts)
  known.set(schema, holds)
  return holds
}

/** The value with `1000m` written as `1`, `2` as the text "2", and so on. What is no amount stays as it is. */
export function canonicalAmounts(value: unknown, schema: StructuralSchema): unknown {
  if (value === undefined || value === null || !holdsAmounts(schema)) return value
  if (isQuantity(schema)) return canonicalAmount(value)
  if (Array.isArray(value)) return schema.items ? value.map((item) => canonicalAmounts(item, schema.items!)) : value
  if (typeof value !== 'object') return value
  const { properties = {}, additionalProperties: values } = schema
  return Object.fromEntries(Object.entries(value).map(([name, child]) => {
    const own = (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? (typeof values === 'object' ? values : undefined)
    return [name, own ? canonicalAmounts(child, own) : child]
  }))
}

function canonicalAmount(value: unknown): unknown {
  const amount = typeof value === 'string' || typeof value === 'number' ? tryParseQuantity(value) : undefined
  return amount ? formatQuantity(amount) : value
}
