/**
 * The form in which a typed server writes an object back: nulls are gone, and so are empty lists, maps, texts, zeros
 * and false, unless the field is required or a pointer. A null in a map of texts is an empty text.
 */
import type { StructuralSchema } from './schema'

/** Fields that keep zero, false and the empty text. Entries are a field, or a parent and a field (`spec.replicas`). */
export type PointerFields = ReadonlySet<string>

type Fields = Readonly<Record<string, unknown>>

/** The value as a typed server would write it. Fields the schema does not spell out stay as they are. */
export function encodeLikeGo(value: unknown, schema: StructuralSchema, pointers: PointerFields): unknown {
  return encode(value, schema, { parent: '', pointers })
}

interface Place {
  parent: string
  pointers: PointerFields
}

function encode(value: unknown, schema: StructuralSchema, place: Place): unknown {
  if (Array.isArray(value)) return schema.items ? value.map((item) => encode(item, schema.items!, place)) : value
  if (!isFields(value)) return value
  const kept: [string, unknown][] = []
  for (const [name, child] of Object.entries(value)) {
    const own = schema.properties?.[name]
    if (own) {
      const encoded = encode(child, own, { ...place, parent: name })
      if (!vanishes(encoded, own, { name, schema, place })) kept.push([name, encoded])
    } else kept.push([name, encodeValue(child, schema, place)])
  }
  return Object.fromEntries(kept)
}

function encodeValue(value: unknown, schema: StructuralSchema, place: Place): unknown {
  const values = schema.additionalProperties
  if (typeof values !== 'object') return value
  return value === null ? zeroOf(values) : encode(value, values, place)
}

interface Field {
  name: string
  schema: StructuralSchema
  place: Place
}

function vanishes(value: unknown, own: StructuralSchema, { name, schema, place }: Field): boolean {
  if (value === null || value === undefined) return true
  if (schema.required?.includes(name)) return false
  if (Array.isArray(value)) return value.length === 0
  if (isFields(value)) return own.additionalProperties !== undefined && Object.keys(value).length === 0
  const pointer = place.pointers.has(name) || place.pointers.has(`${place.parent}.${name}`)
  return !pointer && (value === '' || value === 0 || value === false)
}

/**
 * The value with the zero of its type in every required field that is missing, as a typed server writes structs: an
 * empty text, 0, false, an empty object, and null for a list.
 */
export function fillRequired(value: unknown, schema: StructuralSchema): unknown {
  if (Array.isArray(value)) return schema.items ? value.map((item) => fillRequired(item, schema.items!)) : value
  if (!isFields(value)) return value
  const filled = Object.entries(value).map(([name, child]): [string, unknown] => {
    const own = schema.properties?.[name]
    return [name, own ? fillRequired(child, own) : child]
  })
  const missing = (schema.required ?? []).filter((name) => value[name] === undefined)
  const zeros = missing.map((name): [string, unknown] => [name, zeroOf(schema.properties?.[name] ?? {})])
  return Object.fromEntries([...filled, ...zeros])
}

function zeroOf(schema: StructuralSchema): unknown {
  switch (schema.type) {
    case 'string':
      return ''
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'object':
      return fillRequired({}, schema)
    default:
      return null
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
