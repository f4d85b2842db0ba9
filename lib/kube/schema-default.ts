/** Fills in the defaults that a schema declares, and takes out nulls that mean nothing. */
import { cloneJson } from '@/lib/std/clone'
import type { StructuralSchema } from './schema'

/**
 * The value with defaults where fields are missing. Defaults apply inside objects that are present; an absent object is
 * not created for the sake of its children. A null in a field that has a default and is not nullable counts as missing.
 * Returns the same value when nothing is added.
 */
export function applyDefaults<T>(value: T, schema: StructuralSchema): T {
  return rewrite(value, schema, (present, child) => {
    const missing = present === undefined || (present === null && child.default !== undefined && !child.nullable)
    return missing ? cloneJson(child.default) : present
  }) as T
}

/**
 * The value without nulls in fields that are not nullable and have no default: such a null means an absent field.
 * Returns the same value when there are none.
 */
export function dropNulls<T>(value: T, schema: StructuralSchema): T {
  return rewrite(value, schema, (present, child) => (
    present === null && !child.nullable && child.default === undefined ? undefined : present
  )) as T
}

/** What a field becomes; undefined for one that is not there, or goes. */
type Rewrite = (present: unknown, schema: StructuralSchema) => unknown

type Fields = Readonly<Record<string, unknown>>
type Change = [name: string, value: unknown]

/** Rewrites the fields that a schema describes, from the outside in. What does not change is shared. */
function rewrite(value: unknown, schema: StructuralSchema, change: Rewrite): unknown {
  if (Array.isArray(value)) return rewriteList(value, schema, change)
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Fields
  const changes = [...namedChanges(fields, schema, change), ...valueChanges(fields, schema, change)]
  if (changes.length === 0) return value
  const next = new Map([...Object.entries(fields), ...changes])
  return Object.fromEntries([...next].filter(([, child]) => child !== undefined))
}

function namedChanges(fields: Fields, schema: StructuralSchema, change: Rewrite): Change[] {
  const changes: Change[] = []
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const present = Object.hasOwn(fields, name) ? fields[name] : undefined
    const next = rewrite(change(present, child), child, change)
    if (next !== present) changes.push([name, next])
  }
  return changes
}

function valueChanges(fields: Fields, schema: StructuralSchema, change: Rewrite): Change[] {
  const values = schema.additionalProperties
  if (typeof values !== 'object') return []
  return Object.entries(fields)
    .filter(([name]) => !schema.properties?.[name])
    .map(([name, child]): Change => [name, rewrite(change(child, values), values, change)])
    .filter(([name, child]) => child !== fields[name])
}

function rewriteList(value: readonly unknown[], schema: StructuralSchema, change: Rewrite): unknown {
  const { items } = schema
  if (!items) return value
  const next = value.map((item) => rewrite(item, items, change))
  return next.some((item, index) => item !== value[index]) ? next : value
}
