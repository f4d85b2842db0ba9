/** How a value is divided among owners: read from the schema once, then remembered. */
import type { Kind } from '../kind'
import { objectMeta } from '../object-meta'
import { ownProperty, type StructuralSchema } from '../schema'
import { isQuantity } from '../schema-canonical'

/** A value that one owner has as a whole. */
export interface ScalarType {
  form: 'scalar'
  scalar: 'string' | 'number' | 'boolean' | 'any'
}

export interface ListType {
  form: 'list'
  /** Owned as a whole; item by item with the value as identity; or with the values of `keys`. */
  relation: 'atomic' | 'set' | 'map'
  /** In the order of their names. */
  keys: readonly ListKey[]
  items: StructuralSchema
  zeroKeys: boolean
}

export interface ListKey {
  name: string
  /** The default of an omitted key; undefined if it is required. */
  absent: unknown
}

export interface MapType {
  form: 'map'
  atomic: boolean
  schema: StructuralSchema
  zeroKeys: boolean
}

/** A value without a schema: objects are divided, lists and scalars are not. */
export interface AnyType {
  form: 'any'
}

export type FieldType = ScalarType | ListType | MapType | AnyType
/** A type with a definite form, for a value that is known. */
export type DefiniteType = ScalarType | ListType | MapType

export const ANY: AnyType = { form: 'any' }
const ANY_SCALAR: ScalarType = { form: 'scalar', scalar: 'any' }
const ANY_LIST: ListType = { form: 'list', relation: 'atomic', keys: [], items: {}, zeroKeys: false }
const ANY_MAP: MapType = {
  form: 'map',
  atomic: false,
  schema: { 'x-kubernetes-preserve-unknown-fields': true },
  zeroKeys: false,
}

/** The type of the objects of a kind. */
export function objectTypeOf(kind: Pick<Kind, 'schema' | 'origin'>): FieldType {
  return typeOf(kind.schema, kind.origin !== 'crd')
}

/** The type of what a server reads by a schema of its own. */
export function schemaTypeOf(schema: StructuralSchema): FieldType {
  return typeOf(schema, true)
}

type Memory = WeakMap<StructuralSchema, FieldType>
const remembered: Readonly<Record<'zero' | 'strict', Memory>> = { zero: new WeakMap(), strict: new WeakMap() }

/** With `zeroKeys`, an item that leaves a key out has the zero of the key's type there, as a typed server reads it. */
function typeOf(schema: StructuralSchema, zeroKeys: boolean): FieldType {
  const memory = zeroKeys ? remembered.zero : remembered.strict
  const known = memory.get(schema)
  if (known) return known
  const type = readType(schema, zeroKeys)
  memory.set(schema, type)
  return type
}

function readType(schema: StructuralSchema, zeroKeys: boolean): FieldType {
  // No type is published for such a value, unless it is an amount in a built-in kind.
  if (schema['x-kubernetes-int-or-string']) return zeroKeys && isQuantity(schema) ? ANY_SCALAR : ANY
  switch (schema.type ?? (schema.properties ? 'object' : undefined)) {
    case 'object':
      return { form: 'map', atomic: schema['x-kubernetes-map-type'] === 'atomic', schema, zeroKeys }
    case 'array':
      return listType(schema, zeroKeys)
    case 'string':
      return schema.format === undefined || schema.format === 'byte' ? { form: 'scalar', scalar: 'string' } : ANY_SCALAR
    case 'integer':
    case 'number':
      return { form: 'scalar', scalar: 'number' }
    case 'boolean':
      return { form: 'scalar', scalar: 'boolean' }
    default:
      return ANY
  }
}

function listType(schema: StructuralSchema, zeroKeys: boolean): ListType {
  const relation = schema['x-kubernetes-list-type'] ?? 'atomic'
  const items = schema.items ?? {}
  const names = relation === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : []
  const keys = names.toSorted().map((name) => {
    const hasZero = zeroKeys && (items.required?.includes(name) ?? false)
    return { name, absent: absentKey(ownProperty(items, name), hasZero) }
  })
  return { form: 'list', relation, keys, items, zeroKeys }
}

/** A key that a typed server always writes has a zero. */
function absentKey(schema: StructuralSchema | undefined, hasZero: boolean): unknown {
  if (schema?.default !== undefined || !hasZero) return schema?.default
  return schema?.type === 'integer' ? 0 : ''
}

/** What `type` means for a value. */
export function definite(type: FieldType, value: unknown): DefiniteType {
  if (type.form !== 'any') return type
  if (Array.isArray(value)) return ANY_LIST
  return typeof value === 'object' && value !== null ? ANY_MAP : ANY_SCALAR
}

/** The type of the items of a list. */
export function itemType(type: ListType): FieldType {
  return typeOf(type.items, type.zeroKeys)
}

/** Returns the type of a field; undefined when the schema does not define the field. */
export function fieldType(type: MapType, name: string): FieldType | undefined {
  const { additionalProperties } = type.schema
  const own = ownProperty(type.schema, name)
  // The metadata of a custom object is that of any other.
  if (own) return typeOf(own, type.zeroKeys || own === objectMeta)
  if (typeof additionalProperties === 'object') return typeOf(additionalProperties, type.zeroKeys)
  return additionalProperties === true || type.schema['x-kubernetes-preserve-unknown-fields'] ? ANY : undefined
}

/** True when the schema names the field, so that it is not an entry of a map. */
export function isNamed(type: MapType, name: string): boolean {
  const { properties } = type.schema
  return properties !== undefined && Object.hasOwn(properties, name)
}
