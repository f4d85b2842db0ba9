/** Fills in the defaults that a schema declares. */
import { cloneJson } from '@/lib/std/clone'
import type { StructuralSchema } from './schema'

/**
 * The value with defaults where fields are missing. Defaults apply inside objects that are present; an absent object is
 * not created for the sake of its children. A null in a field that has a default and is not nullable counts as missing.
 * Returns the same value when nothing is added.
 */
export function applyDefaults<T>(value: T, schema: StructuralSchema): T {
  return fill(value, schema) as T
}

function fill(value: unknown, schema: StructuralSchema): unknown {
  if (Array.isArray(value)) return fillList(value, schema)
  if (typeof value !== 'object' || value === null) return value
  const changes: [string, unknown][] = []
  const fields = value as Readonly<Record<string, unknown>>
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const present = Object.hasOwn(fields, name) ? fields[name] : undefined
    const missing = present === undefined || (present === null && child.default !== undefined && !child.nullable)
    const filled = fill(missing ? cloneJson(child.default) : present, child)
    if (filled !== present) changes.push([name, filled])
  }
  changes.push(...fillValues(fields, schema))
  return changes.length === 0 ? value : { ...value, ...Object.fromEntries(changes) }
}

function fillValues(fields: Readonly<Record<string, unknown>>, schema: StructuralSchema): [string, unknown][] {
  const values = schema.additionalProperties
  if (typeof values !== 'object') return []
  return Object.entries(fields)
    .filter(([name]) => !schema.properties?.[name])
    .map(([name, child]): [string, unknown] => [name, fill(child, values)])
    .filter(([name, child]) => child !== fields[name])
}

function fillList(value: readonly unknown[], schema: StructuralSchema): unknown {
  const { items } = schema
  if (!items) return value
  const filled = value.map((item) => fill(item, items))
  return filled.some((item, index) => item !== value[index]) ? filled : value
}
