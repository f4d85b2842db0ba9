/** Drops what a schema does not know, and says what it dropped. */
import type { StructuralSchema } from './schema'

/** A value without unknown fields, and the paths of those that it had, in the order met. */
export interface Pruned {
  value: unknown
  unknownFields: string[]
}

/** Removes fields that the schema does not name. The argument stays as it is; what is kept whole is shared. */
export function pruneUnknown(value: unknown, schema: StructuralSchema): Pruned {
  const unknownFields: string[] = []
  return { value: prune(value, schema, { path: '', unknownFields }), unknownFields }
}

interface Position {
  path: string
  unknownFields: string[]
}

function prune(value: unknown, schema: StructuralSchema, at: Position): unknown {
  if (Array.isArray(value)) return pruneList(value, schema, at)
  if (typeof value !== 'object' || value === null) return value
  const kept: [string, unknown][] = []
  for (const [name, child] of Object.entries(value)) {
    const path = at.path ? `${at.path}.${name}` : name
    const own = childSchema(schema, name)
    if (own) kept.push([name, prune(child, own, { ...at, path })])
    else if (keepsUnknown(schema)) kept.push([name, child])
    else at.unknownFields.push(path)
  }
  return Object.fromEntries(kept)
}

function pruneList(value: readonly unknown[], schema: StructuralSchema, at: Position): unknown[] {
  const { items } = schema
  if (!items) return [...value]
  return value.map((item, index) => prune(item, items, { ...at, path: `${at.path}[${index}]` }))
}

function childSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
  return own ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined)
}

function keepsUnknown(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
}
