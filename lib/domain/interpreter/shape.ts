/**
 * Typed views of status blocks. Karmada reads and writes statuses through Go structs: unknown fields are dropped, a
 * wrong type is an error, optional zero values are omitted and required ones are always written. A Shape describes one
 * block in these terms, so that statuses are byte for byte those of upstream.
 */
import { tryParseQuantity } from '../../kube/quantity'
import { formatTime, parseTime } from '../../std/clock'
import { InterpretError } from './interpret-error'

/** How a field of a struct is written. */
export interface Field {
  shape: Shape
  /** `optional`: omitted when zero. `required`: always written. `pointer`: omitted only when absent. */
  presence: 'optional' | 'required' | 'pointer'
}

export type Shape =
  | { type: 'integer' | 'int32' | 'string' | 'boolean' | 'time' | 'quantity' | 'any' }
  | { type: 'list' | 'map'; of: Shape }
  | { type: 'struct'; fields: Readonly<Record<string, Field>> }

/** A JSON object. */
export type Fields = Record<string, unknown>

/**
 * Origin of a value. A number that does not fit into 32 bits is an error in a status that a member reported, and loses
 * its upper bits in an object.
 */
export type Origin = 'report' | 'object'

const integer: Shape = { type: 'integer' }
const int32: Shape = { type: 'int32' }
const quantity: Shape = { type: 'quantity' }
const text: Shape = { type: 'string' }
const flag: Shape = { type: 'boolean' }
const time: Shape = { type: 'time' }

/** Building blocks of shapes. */
export const shapes = { integer, int32, text, flag, time, quantity, any: { type: 'any' } as Shape }

/** A list of values of one shape. */
export const listOf = (of: Shape): Shape => ({ type: 'list', of })
/** A map from text to values of one shape. */
export const mapOf = (of: Shape): Shape => ({ type: 'map', of })
/** A block of named fields. */
export const struct = (fields: Record<string, Field>): Shape => ({ type: 'struct', fields })
export const optional = (shape: Shape): Field => ({ shape, presence: 'optional' })
export const required = (shape: Shape): Field => ({ shape, presence: 'required' })
export const pointer = (shape: Shape): Field => ({ shape, presence: 'pointer' })

/** Returns several fields with the same presence and shape. */
export function fieldsOf(names: readonly string[], field: Field): Record<string, Field> {
  return Object.fromEntries(names.map((name) => [name, field]))
}

/**
 * Reads `value` as `shape` and writes it back: checks types, drops unknown fields and optional zeros, adds required
 * ones. Idempotent. Throws an InterpretError that names the field of a wrong type.
 */
export function conform(shape: Shape, value: unknown, path: string, origin: Origin = 'object'): unknown {
  if (value === undefined || value === null) return zeroOf(shape)
  switch (shape.type) {
    case 'any':
      return value
    case 'struct':
      return conformStruct(shape.fields, asObject(value, path), path, origin)
    case 'list':
      if (!Array.isArray(value)) throw wrongType(path, 'array', value)
      return value.map((item, index) => conform(shape.of, item, `${path}[${index}]`, origin))
    case 'map':
      return Object.fromEntries(
        Object.entries(asObject(value, path)).map(([key, item]) => [
          key,
          conform(shape.of, item, `${path}.${key}`, origin),
        ]),
      )
    default:
      return conformScalar(shape.type, value, path, origin)
  }
}

function conformStruct(
  fields: Readonly<Record<string, Field>>,
  value: Fields,
  path: string,
  origin: Origin = 'object',
): Fields {
  const out: Fields = {}
  for (const [name, field] of Object.entries(fields)) {
    const raw = value[name]
    if (field.presence === 'pointer' && (raw === undefined || raw === null)) continue
    const conformed = conform(field.shape, raw, `${path}.${name}`, origin)
    if (field.presence === 'optional' && isZero(field.shape, conformed)) continue
    out[name] = conformed
  }
  return out
}

type Scalar = Exclude<Shape['type'], 'any' | 'list' | 'map' | 'struct'>

function conformScalar(type: Scalar, value: unknown, path: string, origin: Origin): unknown {
  switch (type) {
    case 'integer':
    case 'int32': {
      if (!Number.isInteger(value)) throw wrongType(path, 'integer', value)
      if (type === 'integer') return value
      const fitting = (value as number) | 0
      if (fitting !== value && origin === 'report') throw new InterpretError(`${path}: ${String(value)} is too large`)
      return fitting
    }
    case 'quantity':
      if (!tryParseQuantity(value as string | number)) throw wrongType(path, 'quantity', value)
      return value
    default:
      if (typeof value !== (type === 'boolean' ? 'boolean' : 'string')) throw wrongType(path, type, value)
      return type === 'time' ? conformTime(value as string, path) : value
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** A time as the API writes it: in whole seconds of UTC. */
function conformTime(value: string, path: string): string {
  const at = TIME.test(value) ? parseTime(value) : NaN
  if (Number.isNaN(at)) throw wrongType(path, 'time', value)
  return formatTime(at)
}

/** Returns the same shape, except that empty lists and maps differ from absent ones, as in a comparison of structs. */
export function distinguishingEmpty(shape: Shape): Shape {
  if (shape.type === 'list' || shape.type === 'map') return { ...shape, of: distinguishingEmpty(shape.of) }
  if (shape.type !== 'struct') return shape
  return struct(
    Object.fromEntries(
      Object.entries(shape.fields).map(([name, { shape: inner, presence }]) => {
        const collection = inner.type === 'list' || inner.type === 'map'
        return [name, { shape: distinguishingEmpty(inner), presence: collection ? 'pointer' : presence }]
      }),
    ),
  )
}

/** Returns the value of an absent field. */
function zeroOf(shape: Shape): unknown {
  switch (shape.type) {
    case 'integer':
    case 'int32':
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

/** Structs that are not pointers are never omitted, whatever they contain. */
function isZero(shape: Shape, value: unknown): boolean {
  if (shape.type === 'struct') return false
  if (value === null || value === 0 || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return shape.type === 'map' && Object.keys(value as Fields).length === 0
}

/** Returns `value` as a JSON object; otherwise throws an InterpretError that names `path`. */
export function asObject(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(path, 'object', value)
  return value as Fields
}

function wrongType(path: string, wanted: string, value: unknown): InterpretError {
  const found = Array.isArray(value) ? 'array' : typeof value
  return new InterpretError(`${path}: expected ${wanted}, found ${found}`)
}
