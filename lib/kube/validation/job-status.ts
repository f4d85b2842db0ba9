/** The rules of the status of jobs. Most of them judge a change only, so that a status of old stays writable. */
import { deepEqual } from '@/lib/std/equal'
import { type FieldError, invalidField, requiredField } from '../field-error'
import type { UnknownObject } from '../object'
import { validateCounts } from './numbers'

interface JobStatus {
  active?: number
  succeeded?: number
  failed?: number
  startTime?: string
  completionTime?: string
  conditions?: readonly { type: string; status: string }[]
}

const CONDITIONS = 'status.conditions'
const TERMINAL = ['Failed', 'Complete', 'FailureTarget']

/** The status of a Job: counts, an end that is told step by step, and times that stay. */
export function validateJobStatus(object: UnknownObject, before: UnknownObject): FieldError[] {
  const next = (object.status ?? {}) as JobStatus
  const old = (before.status ?? {}) as JobStatus
  return [
    ...validateCounts(next, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status'),
    ...validateEnd(next, old),
    ...validateChange(next, old, (object.spec as { suspend?: boolean } | undefined)?.suspend === true),
  ]
}

const has = ({ conditions = [] }: JobStatus, type: string): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === 'True')
const isFinished = (status: JobStatus): boolean => has(status, 'Complete') || has(status, 'Failed')

/** A condition is named without its value. */
const wrong = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${detail}`,
})

function validateEnd(next: JobStatus, old: JobStatus): FieldError[] {
  const complete = has(next, 'Complete')
  const failed = has(next, 'Failed')
  const changed = (...types: string[]): boolean => types.some((type) => has(next, type) !== has(old, type))
  const moved = (name: keyof JobStatus): boolean => !deepEqual(next[name], old[name])
  const { active = 0, startTime, completionTime } = next
  const finished = isFinished(next) && isFinished(next) !== isFinished(old)
  const rules: readonly [boolean, () => FieldError][] = [
    [
      complete && failed && changed('Complete', 'Failed'),
      () => wrong(CONDITIONS, 'cannot set Complete=True and Failed=true conditions'),
    ],
    [
      complete && has(next, 'FailureTarget') && changed('Complete', 'FailureTarget'),
      () => wrong(CONDITIONS, 'cannot set Complete=True and FailureTarget=true conditions'),
    ],
    [
      completionTime !== undefined && !complete && (changed('Complete') || moved('completionTime')),
      () =>
        invalidField(
          'status.completionTime',
          completionTime,
          'cannot set completionTime when there is no Complete=True condition',
        ),
    ],
    [
      completionTime === undefined && complete && (changed('Complete') || moved('completionTime')),
      () => requiredField('status.completionTime', 'completionTime is required for Complete jobs'),
    ],
    [
      startTime !== undefined
        && completionTime !== undefined
        && Date.parse(completionTime) < Date.parse(startTime)
        && (moved('startTime') || moved('completionTime')),
      () => invalidField('status.completionTime', completionTime, 'must be equal to or after `startTime`'),
    ],
    [
      failed && !has(next, 'FailureTarget') && changed('Failed', 'FailureTarget'),
      () => wrong(CONDITIONS, 'cannot set Failed=True condition without the FailureTarget=true condition'),
    ],
    [
      complete && !has(next, 'SuccessCriteriaMet') && changed('Complete', 'SuccessCriteriaMet'),
      () => wrong(CONDITIONS, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition'),
    ],
    [
      isFinished(next) && active > 0 && (finished || moved('active')),
      () => invalidField('status.active', active, 'active>0 is invalid for finished job'),
    ],
    [
      isFinished(next) && startTime === undefined && (finished || moved('startTime')),
      () => requiredField('status.startTime', 'startTime is required for finished job'),
    ],
  ]
  return rules.flatMap(([broken, finding]) => (broken ? [finding()] : []))
}

function validateChange(next: JobStatus, old: JobStatus, suspended: boolean): FieldError[] {
  const lost = TERMINAL.filter((type) => has(old, type) && !has(next, type))
  const fewer = (['failed', 'succeeded'] as const).filter((name) => (next[name] ?? 0) < (old[name] ?? 0))
  const { startTime, completionTime } = next
  return [
    ...lost.map((type) => wrong(CONDITIONS, `cannot disable the terminal ${type}=True condition`)),
    ...fewer.map((name) => invalidField(`status.${name}`, next[name] ?? 0, `cannot decrease the ${name} counter`)),
    ...(completionTime !== undefined && old.completionTime !== undefined && completionTime !== old.completionTime
      ? [invalidField('status.completionTime', completionTime, 'field is immutable')]
      : []),
    ...(old.startTime !== undefined && startTime !== old.startTime && !suspended
      ? [invalidField('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set')]
      : []),
    ...(has(old, 'SuccessCriteriaMet') && !has(next, 'SuccessCriteriaMet')
      ? [wrong(CONDITIONS, 'cannot disable the SuccessCriteriaMet=True condition')]
      : []),
  ]
}
