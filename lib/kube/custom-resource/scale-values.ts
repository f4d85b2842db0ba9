/** The values of a custom object that its scale shows. */
import { type FieldError, invalidField } from '../field-error'
import { goText, goTypeOf } from '../go-text'
import type { ScaleSubresource } from '../kind'
import type { UnknownObject } from '../object'
import { ownField } from '@/lib/std/fields'

const MOST = 2 ** 31 - 1

/** Findings about the desired replicas. */
export function validateScaleSpec(object: UnknownObject, { specReplicasPath }: ScaleSubresource): FieldError[] {
  return checkReplicas(object, specReplicasPath)
}

/** Findings about the current replicas and the selector. */
export function validateScaleStatus(
  object: UnknownObject,
  { statusReplicasPath, labelSelectorPath }: ScaleSubresource,
): FieldError[] {
  const findings = checkReplicas(object, statusReplicasPath)
  if (!labelSelectorPath) return findings
  const { problem } = valueIn(object, labelSelectorPath, 'string')
  return problem === undefined ? findings : [...findings, invalidField(labelSelectorPath, '', problem)]
}

function checkReplicas(object: UnknownObject, path: string): FieldError[] {
  const { value = 0, problem } = valueIn(object, path, 'int64')
  if (problem !== undefined) return [invalidField(path, 0, problem)]
  if ((value as number) < 0) return [invalidField(path, value, 'should be a non-negative integer')]
  return (value as number) > MOST ? [invalidField(path, value, `should be less than or equal to ${MOST}`)] : []
}

interface Found {
  /** Absent when there is no such field. */
  value?: unknown
  /** Says that the field, or one around it, has another type. */
  problem?: string
}

function valueIn(object: unknown, path: string, type: 'int64' | 'string'): Found {
  const names = path.replace(/^\./, '').split('.')
  let value = object
  for (const [index, name] of names.entries()) {
    if (value === null || value === undefined) return {}
    if (typeof value !== 'object' || Array.isArray(value)) {
      return { problem: wrong(names.slice(0, index + 1), value, 'map[string]interface{}') }
    }
    value = ownField(value as Readonly<Record<string, unknown>>, name)
    if (value === undefined) return {}
  }
  return goTypeOf(value) === type ? { value } : { problem: wrong(names, value, type) }
}

function wrong(names: readonly string[], value: unknown, expected: string): string {
  return `.${names.join('.')} accessor error: ${goText(value)} is of the type ${goTypeOf(value)}, expected ${expected}`
}
