/** Errors of a typed server for the result of a strategic patch, field by field. */
import { isFields } from '@/lib/std/fields'
import { goTypeOf } from './go-text'
import { tryParseQuantity } from './quantity'
import { ownProperty, type StructuralSchema } from './schema'
import { isQuantity } from './schema-canonical'
import { problemOfBytes, QUANTITY_RULE } from './schema-mismatch'

/** The error of the first value of a wrong type; undefined without any. */
export function findUnrestorable(value: unknown, schema: StructuralSchema): string | undefined {
  if (value === null || value === undefined) return undefined
  if (isQuantity(schema)) return typeof value === 'string' && !tryParseQuantity(value) ? QUANTITY_RULE : undefined
  if (schema['x-kubernetes-int-or-string']) return undefined
  switch (schema.type) {
    case 'object':
      return isFields(value) ? inFields(value, schema) : `${noObject(schema)} ${kindOf(value)}`
    case 'array':
      return Array.isArray(value) ? inItems(value, schema) : `cannot restore slice from ${kindOf(value)}`
    case 'string':
      if (schema.format === 'byte' && typeof value !== 'string')
        return Array.isArray(value) ? inItems(value, BYTES) : `cannot restore slice from ${kindOf(value)}`
      return typeof value === 'string' || schema.format === 'date-time'
        ? inText(value, schema)
        : unconverted(value, 'string')
    case 'boolean':
      return typeof value === 'boolean' ? undefined : unconverted(value, 'bool')
    case 'integer':
      return Number.isInteger(value) ? undefined : unconverted(value, schema.format ?? 'int')
    case 'number':
      return typeof value === 'number' ? undefined : unconverted(value, 'float64')
    default:
      return undefined
  }
}

/** Bytes may be written as a list of numbers, too. */
const BYTES: StructuralSchema = { type: 'array', items: { type: 'integer', format: 'uint8' } }

function inFields(value: Readonly<Record<string, unknown>>, schema: StructuralSchema): string | undefined {
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  for (const [name, child] of Object.entries(value)) {
    const own = ownProperty(schema, name) ?? values
    const found = own && findUnrestorable(child, own)
    if (found) return found
  }
  return undefined
}

function inText(value: unknown, { format }: StructuralSchema): string | undefined {
  const problem = format === 'byte' && typeof value === 'string' ? problemOfBytes(value) : undefined
  return problem && `error decoding from json: ${problem}`
}

function inItems(value: readonly unknown[], { items }: StructuralSchema): string | undefined {
  for (const item of value) {
    const found = items && findUnrestorable(item, items)
    if (found) return found
  }
  return undefined
}

function noObject(schema: StructuralSchema): string {
  return schema.properties ? 'cannot restore struct from:' : 'cannot restore map from'
}

function unconverted(value: unknown, wanted: string): string {
  // Go converts numbers to each other and to texts, and nothing else.
  const converts = typeof value === 'number' && wanted !== 'bool'
  return converts ? `cannot convert ${goTypeOf(value)} to ${wanted}` : `unrecognized type: ${wanted}`
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice'
  return typeof value === 'object' ? 'map' : goTypeOf(value)
}
