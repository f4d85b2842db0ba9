/** The options of writes: all of them are read, and refused together. */
import type { StatusCause } from '@/lib/kube/errors'
import { goQuoted } from '@/lib/kube/go-text'
import { invalidOptions } from '../failures'
import { type FieldValidation, validationCauses, validationIn } from '../field-validation'
import { booleanOf } from '../query'

type Options = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'

export interface WriteOptions {
  dryRun: boolean
  validation: FieldValidation
  manager: string
  force: boolean
}

const MAX_MANAGER_LENGTH = 128
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gv

const NO_OPTIONS: WriteOptions = { dryRun: false, validation: 'Warn', manager: '', force: false }

/** `dryRun`, `fieldValidation`, `fieldManager` and `force`. Throws 422 with every wrong one. */
export function readWriteOptions(query: URLSearchParams, options: Options, isApply = false): WriteOptions {
  // Most writes ask for nothing.
  if (query.size === 0 && !isApply) return NO_OPTIONS
  const manager = query.get('fieldManager') ?? ''
  const causes = [
    ...(options === 'PatchOptions' && !isApply && query.has('force')
      ? [forbidden('force', 'may not be specified for non-apply patch')]
      : []),
    ...(isApply && manager === '' ? [MANAGER_MISSING] : findingsAbout(manager)),
    ...dryRunCauses(query),
    ...validationCauses(query),
  ]
  if (causes.length > 0) throw invalidOptions(options, causes)
  return {
    dryRun: query.has('dryRun'),
    validation: validationIn(query),
    manager,
    force: booleanOf(query, 'force') ?? false,
  }
}

/** `dryRun=All`. Throws 422 for any other value. */
export function readDryRun(query: URLSearchParams, options: Options | 'DeleteOptions'): boolean {
  const causes = dryRunCauses(query)
  if (causes.length > 0) throw invalidOptions(options, causes)
  return query.has('dryRun')
}

function dryRunCauses(query: URLSearchParams): StatusCause[] {
  const values = query.getAll('dryRun')
  if (values.every((value) => value === 'All')) return []
  const message = `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`
  return [{ reason: 'FieldValueNotSupported', message, field: 'dryRun' }]
}

const MANAGER_MISSING = {
  reason: 'FieldValueRequired',
  message: 'Required value: is required for apply patch',
  field: 'fieldManager',
}

function forbidden(field: string, why: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }
}

function findingsAbout(manager: string): StatusCause[] {
  if (manager === '') return []
  const tooLong = Buffer.byteLength(manager) > MAX_MANAGER_LENGTH
  const length = { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${MAX_MANAGER_LENGTH} bytes` }
  return [
    ...(tooLong ? [{ ...length, field: 'fieldManager' }] : []),
    ...[...manager.matchAll(UNPRINTABLE)].map(({ 0: letter, index }) => unprintable(manager, letter, index)),
  ]
}

function unprintable(manager: string, letter: string, index: number): StatusCause {
  const code = letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  const position = Buffer.byteLength(manager.slice(0, index))
  const message = `Invalid value: ${goQuoted(manager)}: invalid character U+${code} (at position ${position})`
  return { reason: 'FieldValueInvalid', message, field: 'fieldManager' }
}
