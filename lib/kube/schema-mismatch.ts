/** Finds values of a wrong type, as a typed decoder does, before validation. */
import { ownField } from '@/lib/std/fields'
import { tryParseQuantity } from './quantity'
import { ownProperty, type StructuralSchema } from './schema'
import { isQuantity } from './schema-canonical'
import { isTime, problemOfTime } from './schema-time'
import { typeNameOf } from './schema-validate'

/** The decoder error of the first value of a wrong type in an object of `kind`; undefined without any. */
export function findMismatch(value: unknown, schema: StructuralSchema, kind: string): string | undefined {
  const found = mismatchIn(value, schema)
  return found?.problem(found.path === '' ? kind : `${structOf(found.path.split('.'), kind)}.${found.path}`)
}

/** Structs that are not named after their field. */
const STRUCTS: Readonly<Record<string, string>> = {
  metadata: 'ObjectMeta',
  'template.spec': 'PodSpec',
  template: 'PodTemplateSpec',
  containers: 'Container',
  initContainers: 'Container',
  'spec.workload': 'WorkloadTemplate',
}

/** The struct of a typed server that holds a field. */
function structOf(path: readonly string[], kind: string): string {
  const parents = path.slice(0, -1)
  const [parent = ''] = parents.slice(-1)
  const named = ownField(STRUCTS, parents.slice(-2).join('.')) ?? ownField(STRUCTS, parent)
  if (parents.length === 0) return kind
  if (named !== undefined) return named
  const word = parent.charAt(0).toUpperCase() + parent.slice(1)
  return parents.length > 1 || (parent !== 'spec' && parent !== 'status') ? word : sharedWith(kind) + word
}

/** A kind and its twin without namespace have the same struct; those of the policies are short. */
function sharedWith(kind: string): string {
  const twin = /^Cluster(?=ResourceBinding|PropagationPolicy|OverridePolicy)/
  return kind.replace(twin, '').replace(/(Propagation|Override)Policy$/, '$1')
}

interface Mismatch {
  /** Without positions in lists, as decoders name fields. */
  path: string
  problem(path: string): string
}

/** `name` is the field that holds the value. */
function mismatchIn(value: unknown, schema: StructuralSchema, name = ''): Mismatch | undefined {
  if (value === null || value === undefined) return undefined
  const type = typeNameOf(value)
  if (isQuantity(schema) && !fits(type, schema)) return { path: '', problem: () => QUANTITY_RULE }
  if (schema['x-kubernetes-int-or-string'] && type === 'number' && !isQuantity(schema))
    return { path: '', problem: (path) => wrongTypeText(path, value, { type: 'integer', format: 'int32' }) }
  if (!fits(type, schema) || isTooLarge(value, schema))
    return { path: '', problem: (path) => wrongTypeText(path, value, schema) }
  if (typeof value === 'string') return mismatchInText(value, schema, name)
  if (Array.isArray(value)) return schema.items && mismatchInList(value, schema.items)
  return typeof value === 'object' ? mismatchInFields(value, schema) : undefined
}

function mismatchInList(value: readonly unknown[], items: StructuralSchema): Mismatch | undefined {
  for (const item of value) {
    const found = mismatchIn(item, items)
    if (found) return found
  }
  return undefined
}

function mismatchInFields(value: object, schema: StructuralSchema): Mismatch | undefined {
  const values = schema.additionalProperties
  for (const name of Object.keys(value)) {
    const child = (value as Readonly<Record<string, unknown>>)[name]
    const own = ownProperty(schema, name) ?? (typeof values === 'object' ? values : undefined)
    const found = own && mismatchIn(child, own, name)
    if (found) return { ...found, path: found.path ? `${name}.${found.path}` : name }
  }
  return undefined
}

const QUANTITY_RULE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

function mismatchInText(value: string, schema: StructuralSchema, name: string): Mismatch | undefined {
  if (isQuantity(schema) && !tryParseQuantity(value)) return { path: '', problem: () => QUANTITY_RULE }
  const problem = isTime(schema) ? problemOfTime(value, name) : undefined
  if (problem) return { path: '', problem: () => problem }
  if (schema.format !== 'byte') return undefined
  const broken =
    /[^A-Za-z0-9+/=\r\n]/.exec(value)?.index ?? (value.length % 4 === 0 ? -1 : value.length - (value.length % 4))
  return broken < 0 ? undefined : { path: '', problem: () => `illegal base64 data at input byte ${broken}` }
}

function wrongTypeText(path: string, value: unknown, schema: StructuralSchema): string {
  const shown = shownAs(typeNameOf(value), value)
  return `json: cannot unmarshal ${shown} into Go struct field ${path} of type ${goTypeOf(schema)}`
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
  return format === 'int32' && typeof value === 'number' && (value > 2 ** 31 - 1 || value < -(2 ** 31))
}

function fits(actual: string, schema: StructuralSchema): boolean {
  if (schema['x-kubernetes-int-or-string']) return actual === 'integer' || actual === 'string' || actual === 'number'
  return schema.type === undefined || schema.type === actual || (schema.type === 'number' && actual === 'integer')
}

function goTypeOf(schema: StructuralSchema): string {
  switch (schema.type) {
    case 'integer':
      return schema.format ?? 'int'
    case 'boolean':
      return 'bool'
    case 'number':
      return 'float64'
    case 'array':
      return `[]${goTypeOf(schema.items ?? {})}`
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? `map[string]${goTypeOf(schema.additionalProperties)}`
        : 'struct'
    default:
      return schema.type ?? 'intstr.IntOrString'
  }
}
