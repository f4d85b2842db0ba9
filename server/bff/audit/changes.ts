/** Summarises what an action changed in an object, for the audit log and the Activity page. */
import { deepEqual } from '@/lib/std/equal'
import type { ChangeView } from '@/lib/view/activity-model'

const MAX_CHANGES = 40
const MAX_CHARACTERS = 500
/** Fields that the API server writes itself, or long fields without information. */
const PASSED_OVER = new Set([
  'metadata.managedFields',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.uid',
  'metadata.creationTimestamp',
  'status',
])
const SECRET = /token|passw|secret|credential|private|api-?key|authorization|cookie/i
const SECRET_KINDS = /(^|\.)(data|stringData)$/
export const REDACTED = '"(not shown)"'

/** Returns the fields that differ, at most 40, each at most 500 characters long. Secrets are named but not shown. */
export function changesBetween(before: unknown, after: unknown): ChangeView[] {
  const changes: ChangeView[] = []
  collect({ path: '', before: plain(before), after: plain(after) }, changes)
  if (changes.length <= MAX_CHANGES) return changes
  return [
    ...changes.slice(0, MAX_CHANGES),
    { path: '…', after: JSON.stringify(`${changes.length - MAX_CHANGES} more`) },
  ]
}

interface Pair {
  path: string
  before: unknown
  after: unknown
}

function collect({ path, before, after }: Pair, changes: ChangeView[]): void {
  if (PASSED_OVER.has(path) || deepEqual(before, after)) return
  if (isSecret(path, before, after)) return void changes.push(changeOf(path, before && REDACTED, after && REDACTED))
  // A value that is added or removed as a whole is listed field by field, one level deep.
  if (isRecord(before ?? {}) && isRecord(after ?? {}) && (isRecord(before) || isRecord(after))) {
    const [left, right] = [(before ?? {}) as Fields, (after ?? {}) as Fields]
    const names = new Set([...Object.keys(left), ...Object.keys(right)])
    if (names.size > 0) {
      for (const name of names) {
        collect(
          { path: path === '' ? name : `${path}.${name}`, before: own(left, name), after: own(right, name) },
          changes,
        )
      }
      return
    }
  }
  changes.push(changeOf(path, textOf(before), textOf(after)))
}

type Fields = Readonly<Record<string, unknown>>
/** An own field of the object: a label may be called `toString`. */
const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined)
const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isSecret(path: string, before: unknown, after: unknown): boolean {
  const last = path.slice(path.lastIndexOf('.') + 1)
  const isValue = !isRecord(before) && !isRecord(after)
  return (isValue && SECRET.test(last)) || SECRET_KINDS.test(path)
}

function changeOf(path: string, before: unknown, after: unknown): ChangeView {
  return { path, ...(typeof before === 'string' && { before }), ...(typeof after === 'string' && { after }) }
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const text = JSON.stringify(value, (name, part: unknown) =>
    SECRET.test(name) && typeof part === 'string' ? '(not shown)' : part,
  )
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
}

/** The value as JSON would send it: what JSON omits is no change. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))
