/** Computes a small JSON patch between two versions of an object. */
import { isFields } from '@/lib/std/fields'
import type { JsonPatchOperation } from '../../kube/patch'
import { deepEqual } from '../../std/equal'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns operations that turn `before` into `after`, down to `depth` levels of fields; deeper values and lists are
 * replaced as a whole. Unchanged fields are omitted, so concurrent writers of other fields are not affected. Empty when
 * equal.
 */
export function patchTo(before: object, after: object, depth = 3): JsonPatchOperation[] {
  return operations(before as Fields, after as Fields, { path: '', depth })
}

interface Place {
  path: string
  depth: number
}

function operations(before: Fields, after: Fields, { path, depth }: Place): JsonPatchOperation[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) =>
    change(own(before, name), own(after, name), { path: `${path}/${escaped(name)}`, depth }),
  )
}

function change(old: unknown, next: unknown, { path, depth }: Place): JsonPatchOperation[] {
  if (deepEqual(old, next)) return []
  if (next === undefined) return [{ op: 'remove', path }]
  if (old === undefined) return [{ op: 'add', path, value: next }]
  if (depth > 1 && isFields(old) && isFields(next)) return operations(old, next, { path, depth: depth - 1 })
  return [{ op: 'replace', path, value: next }]
}

/** Escapes a segment of a JSON pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** A label may have the name of an inherited property. */
function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
