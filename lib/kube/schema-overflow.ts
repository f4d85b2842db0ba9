/** Whole numbers of 32 bits that are too large: a typed server that converts values one by one keeps their lower bits. */
import { isFields, ownField } from '@/lib/std/fields'
import { mapFields, mapItems } from '@/lib/std/map-json'
import { ownProperty, type StructuralSchema } from './schema'

const known = new WeakMap<StructuralSchema, boolean>()

/** Most parts of most kinds have none. */
function holdsSome(schema: StructuralSchema): boolean {
  const remembered = known.get(schema)
  if (remembered !== undefined) return remembered
  // A schema may hold itself, as that of schemas does.
  known.set(schema, false)
  const { properties = {}, items, additionalProperties: values } = schema
  const parts = [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...(typeof values === 'object' ? [values] : []),
  ]
  const holds = schema.format === 'int32' || parts.some(holdsSome)
  known.set(schema, holds)
  return holds
}

/** The value with such numbers as they are kept. The same one without any. */
export function wrapped(value: unknown, schema: StructuralSchema): unknown {
  if (typeof value === 'number') return schema.format === 'int32' && Number.isInteger(value) ? lowerBits(value) : value
  if (typeof value !== 'object' || value === null || !holdsSome(schema)) return value
  if (Array.isArray(value)) return schema.items ? mapItems(value, (item) => wrapped(item, schema.items!)) : value
  if (!isFields(value)) return value
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  return mapFields(value, (child, name) => {
    const own = ownProperty(schema, name) ?? values
    return own ? wrapped(ownField(value, name), own) : child
  })
}

function lowerBits(value: number): number {
  return Math.abs(value) < 2 ** 31 ? value : Number(BigInt.asIntN(32, BigInt(value)))
}
