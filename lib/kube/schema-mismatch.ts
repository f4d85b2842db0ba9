/** Finds values of a wrong type, as a typed decoder does, before validation. */
import { goPath, goStructOf, goTypeOf } from './go-types'
import { tryParseQuantity } from './quantity'
import { ownProperty, type StructuralSchema } from './schema'
import { isQuantity } from './schema-canonical'
import { isTime, problemOfTime } from './schema-time'
import { typeNameOf } from './schema-validate'

/** The decoder error of the first value of a wrong type in an object of `kind`; undefined without any. */
export function findMismatch(value: unknown, schema: StructuralSchema, kind: string): string | undefined {
  const found = mismatchIn(value, schema)
  const path = found?.path.split('.') ?? []
  return found?.problem({ shown: found.path === '' ? kind : `${goStructOf(path, kind)}.${goPath(path)}`, path, kind })
}

interface Mismatch {
  /** Without positions in lists, as decoders name fields. */
  path: string
  problem(place: { shown: string; path: readonly string[]; kind: string }): string
  /** Ends the decoding; after any other, a decoder reads on, and names the first. */
  isFinal?: boolean
}

/** `name` is the field that holds the value. */
function mismatchIn(value: unknown, schema: StructuralSchema, name = ''): Mismatch | undefined {
  if (value === null || value === undefined) return undefined
  if (schema['x-or-any']) return undefined
  if (schema['x-or-list'] && Array.isArray(value)) return mismatchInList(value, schema)
  const type = typeNameOf(value)
  if (schema.format === 'byte' && Array.isArray(value)) return mismatchInList(value, BYTE)
  if (isQuantity(schema) && !fits(type, schema)) return { path: '', problem: () => QUANTITY_RULE, isFinal: true }
  if (schema['x-kubernetes-int-or-string'] && !isQuantity(schema) && (type === 'number' || exceeds32Bits(value)))
    return { path: '', problem: ({ shown }) => wrongTypeText(shown, value, 'int32') }
  if (!fits(type, schema) || isTooLarge(value, schema))
    return { path: '', problem: ({ shown, path, kind }) => wrongTypeText(shown, value, goTypeOf(schema, path, kind)) }
  if (typeof value === 'string') return mismatchInText(value, schema, name)
  if (Array.isArray(value)) return schema.items && mismatchInList(value, schema.items)
  return typeof value === 'object' ? mismatchInFields(value, schema) : undefined
}

/** One of the bytes that are written as a list of numbers. */
const BYTE: StructuralSchema = { type: 'integer', format: 'uint8' }

function mismatchInList(value: readonly unknown[], items: StructuralSchema): Mismatch | undefined {
  return firstOf(value, (item) => mismatchIn(item, items))
}

function mismatchInFields(value: object, schema: StructuralSchema): Mismatch | undefined {
  const values = schema.additionalProperties
  return firstOf(Object.keys(value), (name) => {
    const child = (value as Readonly<Record<string, unknown>>)[name]
    const own = ownProperty(schema, name)
    const found = own && mismatchIn(child, own, name)
    if (found) return { ...found, path: found.path ? `${name}.${found.path}` : name }
    // The key of a map is no field of a struct.
    return !own && typeof values === 'object' ? mismatchIn(child, values, name) : undefined
  })
}

/** The first that ends the decoding, else the first of all. */
function firstOf<T>(parts: readonly T[], find: (part: T) => Mismatch | undefined): Mismatch | undefined {
  let first: Mismatch | undefined
  for (const part of parts) {
    const found = find(part)
    if (found?.isFinal) return found
    first ??= found
  }
  return first
}

/** What a decoder says of a text that is no amount. */
export const QUANTITY_RULE =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

function mismatchInText(value: string, schema: StructuralSchema, name: string): Mismatch | undefined {
  if (isQuantity(schema) && !tryParseQuantity(value)) return { path: '', problem: () => QUANTITY_RULE, isFinal: true }
  const problem = isTime(schema) ? problemOfTime(value, name) : undefined
  if (problem) return { path: '', problem: () => problem, isFinal: true }
  const broken = schema.format === 'byte' ? problemOfBytes(value) : undefined
  return broken === undefined ? undefined : { path: '', problem: () => broken }
}

/** What a decoder says of a text that is no base64; undefined if it is. */
export function problemOfBytes(value: string): string | undefined {
  const broken =
    /[^A-Za-z0-9+/=\r\n]/.exec(value)?.index ?? (value.length % 4 === 0 ? -1 : value.length - (value.length % 4))
  return broken < 0 ? undefined : `illegal base64 data at input byte ${broken}`
}

function wrongTypeText(path: string, value: unknown, type: string): string {
  const shown = shownAs(typeNameOf(value), value)
  return `json: cannot unmarshal ${shown} into Go struct field ${path} of type ${type}`
}

/** A whole number is plainly a number to a decoder; a fraction is quoted. */
function shownAs(type: string, value: unknown): string {
  switch (type) {
    case 'number':
      return `number ${String(value)}`
    case 'integer':
      return Math.abs(value as number) >= 2 ** 31 ? `number ${String(value)}` : 'number'
    case 'boolean':
      return 'bool'
    default:
      return type
  }
}

/** A whole number that its Go type cannot hold. */
function isTooLarge(value: unknown, { format }: StructuralSchema): boolean {
  if (format === 'uint8') return typeof value === 'number' && (value < 0 || value > 255)
  return format === 'int32' && exceeds32Bits(value)
}

function exceeds32Bits(value: unknown): boolean {
  return typeof value === 'number' && (value > 2 ** 31 - 1 || value < -(2 ** 31))
}

function fits(actual: string, schema: StructuralSchema): boolean {
  if (schema['x-kubernetes-int-or-string']) return actual === 'integer' || actual === 'string' || actual === 'number'
  return schema.type === undefined || schema.type === actual || (schema.type === 'number' && actual === 'integer')
}
