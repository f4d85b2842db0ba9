/** Whole numbers of 32 bits that are too large: a typed server that converts values one by one keeps their lower bits. */
import { isFields, ownField } from '@/lib/std/fields'
import { mapFields, mapItems } from '@/lib/std/map-json'
import { ownProperty, type StructuralSchema } from './schema'
import { anyPart } from './schema-parts'

/** Most parts of most kinds have none. */
const holdsSome = anyPart(({ format }) => format === 'int32')

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
