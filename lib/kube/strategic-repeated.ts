/** A strategic merge patch as kube-apiserver repeats it in a refusal: merging changes the patch itself. */
import { isFields } from '@/lib/std/fields'

type Fields = Readonly<Record<string, unknown>>

/** What merging does to a patch. */
export interface PatchMarks {
  /** Values that the document did not have: they are cleaned of nulls and directives, and taken as they are. */
  taken: Set<unknown>
  /** Fields of objects of the patch that are gone when they were read. */
  read: Map<unknown, readonly string[]>
}

export function newPatchMarks(): PatchMarks {
  return { taken: new Set(), read: new Map() }
}

/** The patch after it was merged. */
export function repeatedPatch(patch: unknown, marks: PatchMarks): unknown {
  if (marks.taken.has(patch)) return takenValue(patch)
  if (Array.isArray(patch)) return patch.map((item) => repeatedPatch(item, marks))
  if (!isFields(patch)) return patch
  const gone = new Set(marks.read.get(patch))
  const left = Object.entries(patch).filter(([name]) => !gone.has(name))
  return Object.fromEntries(left.map(([name, value]) => [name, repeatedPatch(value, marks)]))
}

/** What was taken keeps directives of its own, and those in a list that it is. */
function takenValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(takenValue)
  if (!isFields(value)) return value
  return hasDirective(value) ? withoutNulls(value) : fieldsWithoutDirectives(value)
}

const hasDirective = (value: Fields): boolean => Object.hasOwn(value, '$patch')

/** A value that a document gets as a whole: without nulls and directives. Undefined for an object that a directive names. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined)
  if (!isFields(value)) return value
  return hasDirective(value) ? undefined : fieldsWithoutDirectives(value)
}

function fieldsWithoutDirectives(value: Fields): Fields {
  const present = Object.entries(value).filter(([, child]) => child !== null)
  return Object.fromEntries(
    present.map(([name, child]) => [name, withoutDirectives(child)]).filter(([, child]) => child !== undefined),
  )
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isFields(value)) return value
  const present = Object.entries(value).filter(([, child]) => child !== null)
  return Object.fromEntries(present.map(([name, child]) => [name, withoutNulls(child)]))
}
