/** Applies JSON patches of override policies: three operations, all of which require that their path exists. */
import { KubeError } from '../../kube/errors'
import { type JsonPatchOperation, JsonPatching } from '../../kube/patch'
import { OverriderError } from './override-error'

/** One operation; an absent value is null. */
export interface Change {
  operator: 'add' | 'remove' | 'replace'
  path: string
  value?: unknown
}

/**
 * Returns the document after all changes, applied in order. Throws an OverriderError that names the first change that
 * fails; `replace` and `remove` need an existing value.
 */
export function patchJson(document: unknown, changes: readonly Change[]): unknown {
  const patching = new JsonPatching(document)
  for (const one of changes) change(patching, one)
  try {
    return patching.result()
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    throw new OverriderError('the patch nests objects too deeply', { cause: error })
  }
}

function change(patching: JsonPatching, { operator, path, value = null }: Change): void {
  if (operator !== 'add' && valueAt(patching.document, path) === undefined) {
    throw new OverriderError(`cannot ${operator} ${path}: path not found`)
  }
  const operation: JsonPatchOperation = operator === 'remove' ? { op: operator, path } : { op: operator, path, value }
  try {
    patching.apply(operation)
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    throw new OverriderError(`cannot ${operator} ${path}: parent path not found`, { cause: error })
  }
}

/** Returns the value at a JSON pointer (RFC 6901); undefined if it does not exist. */
export function valueAt(document: unknown, pointer: string): unknown {
  const segments = pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  return segments.reduce(step, document)
}

function step(value: unknown, segment: string): unknown {
  if (Array.isArray(value)) return /^-?\d+$/.test(segment) ? (value as unknown[]).at(Number(segment)) : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined
  return (value as Record<string, unknown>)[segment]
}
