/** Fills in the defaults that a schema declares, and takes out nulls that mean nothing. */
import { cloneJson } from '@/lib/std/clone'
import { ownField } from '@/lib/std/fields'
import { mapFields, mapItems } from '@/lib/std/map-json'
import type { StructuralSchema } from './schema'
import { partsOf } from './schema-parts'

/**
 * The value with defaults where fields are missing. Defaults apply inside objects that are present; an absent object is
 * not created for the sake of its children. A null in a field that has a default and is not nullable counts as missing.
 * Returns the same value when nothing is added.
 */
export function applyDefaults<T>(value: T, schema: StructuralSchema): T {
  return complete(value, schema) as T
}

function complete(value: unknown, schema: StructuralSchema): unknown {
  if (typeof value !== 'object' || value === null || !hasDefaults(schema)) return value
  const { items, properties = {}, additionalProperties: values } = schema
  if (Array.isArray(value)) return items ? mapItems(value, (item) => complete(item, items)) : value
  const whole = mapFields(value as Fields, (child, name) => {
    const own = ownField(properties, name) ?? (typeof values === 'object' ? values : undefined)
    return own ? complete(child === null ? insteadOfNull(own) : child, own) : child
  })
  const missing = Object.entries(properties).filter(
    ([name, { default: own }]) => own !== undefined && ownField(whole, name) === undefined,
  )
  if (missing.length === 0) return whole
  const added = missing.map(([name, child]) => [name, complete(cloneJson(child.default), child)])
  return { ...whole, ...Object.fromEntries(added) }
}

/** A null that is no value of the field means that the field is missing. */
function insteadOfNull(schema: StructuralSchema): unknown {
  return schema.default === undefined || schema.nullable ? null : cloneJson(schema.default)
}

const known = new WeakMap<StructuralSchema, boolean>()

/** Most parts of most schemas declare none and need not be looked into. */
function hasDefaults(schema: StructuralSchema): boolean {
  const remembered = known.get(schema)
  if (remembered !== undefined) return remembered
  // A schema may hold itself, as that of schemas does: it is taken to have some, which costs time and nothing else.
  known.set(schema, true)
  const found = partsOf(schema).some((part) => part.default !== undefined || hasDefaults(part))
  known.set(schema, found)
  return found
}

/**
 * The value without nulls in fields that are not nullable and have no default: such a null means an absent field.
 * Returns the same value when there are none.
 */
export function dropNulls<T>(value: T, schema: StructuralSchema): T {
  return withoutNulls(value, schema) as T
}

function withoutNulls(value: unknown, schema: StructuralSchema): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { items, properties = {}, additionalProperties: values } = schema
  if (Array.isArray(value)) return items ? mapItems(value, (item) => withoutNulls(item, items)) : value
  return mapFields(value as Fields, (child, name) => {
    const own = ownField(properties, name) ?? (typeof values === 'object' ? values : undefined)
    if (child === null && own && !own.nullable && own.default === undefined) return undefined
    return own ? withoutNulls(child, own) : child
  })
}

type Fields = Readonly<Record<string, unknown>>
