/**
 * Typed views of status blocks. The control plane reads and writes statuses through structs: unknown fields vanish,
 * a wrong type is an error, optional zero values are left out and required ones are always written. A Shape says the
 * same about one block, so that our statuses are byte for byte what the real interpreter stores.
 */
import { InterpretError } from './interpret-error'

/** How a field of a struct is written. */
export interface Field {
  shape: Shape
  /** `optional`: left out when zero. `required`: always written. `pointer`: left out only when absent. */
  presence: 'optional' | 'required' | 'pointer'
}

export type Shape =
  | { type: 'integer' | 'string' | 'boolean' | 'time' | 'any' }
  | { type: 'list' | 'map'; of: Shape }
  | { type: 'struct'; fields: Readonly<Record<string, Field>> }

/** A JSON object. */
export type Fields = Record<string, unknown>

const integer: Shape = { type: 'integer' }
const text: Shape = { type: 'string' }
const flag: Shape = { type: 'boolean' }
const time: Shape = { type: 'time' }

/** The building blocks of shapes. */
export const shapes = { integer, text, flag, time, any: { type: 'any' } as Shape }

/** A list of values of one shape. */
export const listOf = (of: Shape): Shape => ({ type: 'list', of })
/** A map from text to values of one shape. */
export const mapOf = (of: Shape): Shape => ({ type: 'map', of })
/** A block of named fields. */
export const struct = (fields: Record<string, Field>): Shape => ({ type: 'struct', fields })
export const optional = (shape: Shape): Field => ({ shape, presence: 'optional' })
export const required = (shape: Shape): Field => ({ shape, presence: 'required' })
export const pointer = (shape: Shape): Field => ({ shape, presence: 'pointer' })

/** Several fields of the same presence and shape. */
export function fieldsOf(names: readonly string[], field: Field): Record<string, Field> {
  return Object.fromEntries(names.map((name) => [name, field]))
}

/**
 * Reads `value` as `shape` and writes it back: checks types, drops unknown fields and optional zeros, adds required
 * ones. Doing it twice changes nothing. Throws an InterpretError that names the field of a wrong type.
 */
export function conform(shape: Shape, value: unknown, path: string): unknown {
  if (value === undefined || value === null) return zeroOf(shape)
  switch (shape.type) {
    case 'any':
      return value
    case 'struct':
      return conformStruct(shape.fields, asObject(value, path), path)
    case 'list':
      return conformList(shape.of, value, path)
    case 'map':
      return Object.fromEntries(
        Object.entries(asObject(value, path)).map(([key, item]) => [key, conform(shape.of, item, `${path}.${key}`)]),
      )
    default:
      return conformScalar(shape.type, value, path)
  }
}

function conformStruct(fields: Readonly<Record<string, Field>>, value: Fields, path: string): Fields {
  const out: Fields = {}
  for (const [name, field] of Object.entries(fields)) {
    const raw = value[name]
    if (field.presence === 'pointer' && (raw === undefined || raw === null)) continue
    const conformed = conform(field.shape, raw, `${path}.${name}`)
    if (field.presence === 'optional' && isZero(field.shape, conformed)) continue
    out[name] = conformed
  }
  return out
}

function conformList(of: Shape, value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw wrongType(path, 'array', value)
  return value.map((item, index) => conform(of, item, `${path}[${index}]`))
}

function conformScalar(type: 'integer' | 'string' | 'boolean' | 'time', value: unknown, path: string): unknown {
  const fits =
    type === 'integer'
      ? Number.isInteger(value)
      : type === 'boolean'
        ? typeof value === 'boolean'
        : typeof value === 'string'
  if (!fits) throw wrongType(path, type, value)
  return value
}

/** The same shape, except that empty lists and maps are told from absent ones, as a comparison of structs does. */
export function tellingEmptyFromAbsent(shape: Shape): Shape {
  if (shape.type === 'list' || shape.type === 'map') return { ...shape, of: tellingEmptyFromAbsent(shape.of) }
  if (shape.type !== 'struct') return shape
  return struct(
    Object.fromEntries(
      Object.entries(shape.fields).map(([name, { shape: inner, presence }]) => {
        const collection = inner.type === 'list' || inner.type === 'map'
        return [name, { shape: tellingEmptyFromAbsent(inner), presence: collection ? 'pointer' : presence }]
      }),
    ),
  )
}

/** The value an absent field has. */
function zeroOf(shape: Shape): unknown {
  switch (shape.type) {
    case 'integer':
      return 0
    case 'string':
      return ''
    case 'boolean':
      return false
    case 'struct':
      return conformStruct(shape.fields, {}, '')
    default:
      return null
  }
}

/** Structs that are no pointers are never left out, whatever they hold. */
function isZero(shape: Shape, value: unknown): boolean {
  if (shape.type === 'struct') return false
  if (value === null || value === 0 || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return shape.type === 'map' && Object.keys(value as Fields).length === 0
}

/** `value` as a JSON object; throws an InterpretError naming `path` when it is something else. */
export function asObject(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(path, 'object', value)
  return value as Fields
}

function wrongType(path: string, wanted: string, value: unknown): InterpretError {
  const found = Array.isArray(value) ? 'array' : typeof value
  return new InterpretError(`${path}: expected ${wanted}, found ${found}`)
}
