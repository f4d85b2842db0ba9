/**
 * Values of another type than their schema's, which rules can meet in objects that were stored under another schema:
 * upstream's UnstructuredToVal.
 */
import { isFields, ownField } from '@/lib/std/fields'
import { ownProperty, type StructuralSchema } from '../schema'

/** Why a value is none of its schema, in the words of an expression that asks for it; undefined if it is one. */
export function misfitOf(value: unknown, schema: StructuralSchema): string | undefined {
  if (value === null || value === undefined) return undefined
  if (schema['x-kubernetes-int-or-string'])
    return typeof value === 'string' || Number.isInteger(value)
      ? undefined
      : 'invalid data, expected XIntOrString value to be either a string or integer'
  const expected = (type: string): string => `invalid data, expected ${type}, got ${goTypeOf(value)}`
  switch (schema.type) {
    case 'object':
      return isFields(value) ? undefined : 'invalid data, expected a map for the provided schema with type=object'
    case 'array':
      return Array.isArray(value)
        ? undefined
        : 'invalid data, expected an array for the provided schema with type=array'
    case 'string':
      return typeof value === 'string' ? undefined : expected('string')
    case 'number':
      return typeof value === 'number' ? undefined : expected('float')
    case 'integer':
      return Number.isInteger(value) ? undefined : expected('int')
    case 'boolean':
      return typeof value === 'boolean' ? undefined : expected('bool')
    default:
      return undefined
  }
}

/** The first one inside of a value that fits itself. */
export function misfitInside(value: unknown, schema: StructuralSchema): string | undefined {
  const { items, additionalProperties: values } = schema
  const inside = (child: unknown, own: StructuralSchema | undefined): string | undefined =>
    own && (misfitOf(child, own) ?? misfitInside(child, own))
  if (Array.isArray(value)) return firstOf(value, (item) => inside(item, items))
  if (!isFields(value)) return undefined
  return firstOf(Object.keys(value), (name) =>
    inside(ownField(value, name), ownProperty(schema, name) ?? (typeof values === 'object' ? values : undefined)),
  )
}

function firstOf<T>(parts: readonly T[], find: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const found = find(part)
    if (found !== undefined) return found
  }
  return undefined
}

/** The type that Go reads a JSON value as. */
function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'map[string]interface {}'
}
