/** The options `fieldManager` and `force` of writes. */
import type { StatusCause } from '@/lib/kube/errors'
import { invalidOptions } from '../failures'
import { booleanOf } from '../query'

const LONGEST_MANAGER = 128
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gv

/** Refuses (422) a name of a field manager that cannot be written down. */
export function checkFieldManager(query: URLSearchParams, options: 'CreateOptions' | 'UpdateOptions'): void {
  const causes = findingsAbout(query.get('fieldManager') ?? '')
  if (causes.length > 0) throw invalidOptions(options, causes)
}

/** Refuses (422) the force of a patch that is no apply. */
export function checkPatchOptions(query: URLSearchParams): void {
  const forced = query.has('force')
  refuse([
    ...(forced ? [forbidden('force', 'may not be specified for non-apply patch')] : []),
    ...findingsAbout(query.get('fieldManager') ?? ''),
  ])
}

/** `fieldManager` and `force` of an apply. Throws 422 without a field manager. */
export function readApplyOptions(query: URLSearchParams): { manager: string; force: boolean } {
  const manager = query.get('fieldManager') ?? ''
  const missing = { ...REQUIRED, message: 'Required value: is required for apply patch', field: 'fieldManager' }
  refuse([...(manager === '' ? [missing] : []), ...findingsAbout(manager)])
  return { manager, force: booleanOf(query, 'force') ?? false }
}

const REQUIRED = { reason: 'FieldValueRequired' }

function refuse(causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw invalidOptions('PatchOptions', causes)
}

function forbidden(field: string, why: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }
}

function findingsAbout(manager: string): StatusCause[] {
  if (manager === '') return []
  const tooLong = Buffer.byteLength(manager) > LONGEST_MANAGER
  const length = { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${LONGEST_MANAGER} bytes` }
  return [
    ...(tooLong ? [{ ...length, field: 'fieldManager' }] : []),
    ...[...manager.matchAll(UNPRINTABLE)].map(({ 0: letter, index }) => unprintable(manager, letter, index)),
  ]
}

function unprintable(manager: string, letter: string, index: number): StatusCause {
  const code = letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  const position = Buffer.byteLength(manager.slice(0, index))
  const message = `Invalid value: ${JSON.stringify(manager)}: invalid character U+${code} (at position ${position})`
  return { reason: 'FieldValueInvalid', message, field: 'fieldManager' }
}
