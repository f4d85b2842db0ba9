/** Types for values of a schema, so that rules about them are checked when they are written. */
import type { Environment } from '@marcbachmann/cel-js'
import { Duration } from '@marcbachmann/cel-js/evaluator'
import type { StructuralSchema } from '../schema'
import { SCHEMA_TYPE } from './instrument'
import { same } from './library-lists'
import { celNameOf } from './names'
import { toCelValue } from './value'

/** How values of a schema appear in rules. */
export interface Declared {
  /** The name of the type, to declare variables with. */
  type: string
  /** A JSON value of the schema as a rule sees it. */
  convert(value: unknown): unknown
}

const DYN: Declared = { type: 'dyn', convert: toCelValue }

/** Declares the types of a schema and of everything inside it. */
export function declareSchema(env: Environment, schema: StructuralSchema): Declared {
  let count = 0
  const declare = (part: StructuralSchema): Declared => {
    if (part['x-kubernetes-int-or-string']) return DYN
    if (part.type === 'array') return listOf(part.items ? declare(part.items) : DYN)
    if (part.type !== 'object') return scalar(part)
    if (typeof part.additionalProperties === 'object') return mapOf(declare(part.additionalProperties))
    // Fields that are not in the schema cannot be used, even if they are preserved.
    const known = part['x-kubernetes-embedded-resource'] ? withIdentity(part) : part
    return objectOf(env, `${SCHEMA_TYPE}${count++}`, fieldsOf(known, declare))
  }
  return declare(schema)
}

/** The root and embedded objects have name and kind, declared or not. */
export function withIdentity(schema: StructuralSchema): StructuralSchema {
  const text: StructuralSchema = { type: 'string' }
  const metadata: StructuralSchema = { type: 'object', properties: { name: text, generateName: text } }
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } }
}

function scalar({ type, format }: StructuralSchema): Declared {
  switch (type) {
    case 'integer':
      return { type: 'int', convert: toCelValue }
    case 'number':
      return { type: 'double', convert: (value) => value }
    case 'boolean':
      return { type: 'bool', convert: (value) => value }
    case 'string':
      return text(format)
    default:
      return DYN
  }
}

function text(format: string | undefined): Declared {
  switch (format) {
    case 'date':
    case 'date-time':
      return { type: 'google.protobuf.Timestamp', convert: (value) => new Date(String(value)) }
    case 'duration':
      return { type: 'google.protobuf.Duration', convert: (value) => durationOf(String(value)) }
    default:
      return { type: 'string', convert: (value) => value }
  }
}

const UNIT_NANOS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 }

/** Reads a duration such as `1h30m`. */
function durationOf(value: string): Duration {
  const parts = value.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)
  const nanos = [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_NANOS[unit ?? ''] ?? 0), 0)
  return new Duration(BigInt(Math.floor(nanos / 1e9)), Math.round(nanos % 1e9))
}

function listOf(item: Declared): Declared {
  return { type: `list<${item.type}>`, convert: (value) => (Array.isArray(value) ? value.map(item.convert) : value) }
}

function mapOf(child: Declared): Declared {
  return { type: `map<string, ${child.type}>`, convert: (value) => new Map(converted(value, () => child)) }
}

/** A field with the name that rules know it by. */
type Field = Declared & { name: string }

function fieldsOf(schema: StructuralSchema, declare: (part: StructuralSchema) => Declared): ReadonlyMap<string, Field> {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, child]): [string, Field][] => {
    const name = celNameOf(field)
    return name === undefined ? [] : [[field, { name, ...declare(child) }]]
  })
  return new Map(fields)
}

/** Objects of a schema are instances of a separate class, by which the evaluator distinguishes types. */
function objectOf(env: Environment, type: string, fields: ReadonlyMap<string, Field>): Declared {
  const ctor = class extends Map<string, unknown> {}
  const declared = [...fields.values()].map((field) => [field.name, field.type])
  env.registerType(type, { ctor, fields: Object.fromEntries(declared) as Record<string, string> })
  env.registerOperator(`${type} == ${type}`, same)
  const convert = (value: unknown): unknown =>
    new ctor(
      converted(value, (field) => fields.get(field)).map(([field, child]) => [fields.get(field)?.name ?? field, child]),
    )
  return { type, convert }
}

/** The fields that are there and known, converted. */
function converted(value: unknown, known: (field: string) => Declared | undefined): [string, unknown][] {
  return Object.entries((value ?? {}) as object).flatMap(([field, child]): [string, unknown][] => {
    const own = child === undefined ? undefined : known(field)
    return own ? [[field, own.convert(child)]] : []
  })
}
