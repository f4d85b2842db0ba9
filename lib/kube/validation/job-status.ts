/** The rules of the status of jobs. Most of them judge a change only, so that a status of old stays writable. */
import { deepEqual } from '@/lib/std/equal'
import { repeats } from '@/lib/std/repeats'
import { duplicateField, type FieldError, invalidField, requiredField } from '../field-error'
import type { Job } from '../kinds'
import type { UnknownObject } from '../object'
import { firstShared, readIntervals } from './job-indexes'
import { validateCounts } from './numbers'

type Spec = Partial<Job['spec']>

interface JobStatus {
  active?: number
  succeeded?: number
  failed?: number
  startTime?: string
  completionTime?: string
  conditions?: readonly { type: string; status: string }[]
  uncountedTerminatedPods?: { succeeded?: readonly string[]; failed?: readonly string[] }
  completedIndexes?: string
  failedIndexes?: string
  terminating?: number
  ready?: number
}

const CONDITIONS = 'status.conditions'
const TERMINAL = ['Failed', 'Complete', 'FailureTarget']

/** The status of a Job: counts, an end that is told step by step, and times that stay. */
export function validateJobStatus(object: UnknownObject, before: UnknownObject): FieldError[] {
  const next = (object.status ?? {}) as JobStatus
  const old = (before.status ?? {}) as JobStatus
  const spec = (object.spec ?? {}) as Spec
  return [
    ...validateCounts(next, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status'),
    ...validateUncounted(next.uncountedTerminatedPods),
    ...validateEnd(next, old, spec),
    ...validateIndexes(next, old, spec),
    ...validateRunning(next, old),
    ...validateSuccess(next, spec),
    ...validateChange(next, old, spec),
  ]
}

const has = ({ conditions = [] }: JobStatus, type: string): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === 'True')
const isFalse = ({ conditions = [] }: JobStatus, type: string): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === 'False')
const isFinished = (status: JobStatus): boolean => has(status, 'Complete') || has(status, 'Failed')

/** A condition is named without its value. */
const wrong = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${detail}`,
})

/** Pods that have ended and are not counted yet, each once. */
function validateUncounted(pods: JobStatus['uncountedTerminatedPods']): FieldError[] {
  const isRepeated = repeats()
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    (pods?.[list] ?? []).flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${list}[${index}]`
      if (uid === '') return [invalidField(field, uid, 'must not be empty')]
      return isRepeated(uid) ? [duplicateField(field, uid)] : []
    }),
  )
}

function validateEnd(next: JobStatus, old: JobStatus, { suspend, completions }: Spec): FieldError[] {
  const complete = has(next, 'Complete')
  const failed = has(next, 'Failed')
  const changed = (...types: string[]): boolean => types.some((type) => has(next, type) !== has(old, type))
  const moved = (name: keyof JobStatus): boolean => !deepEqual(next[name], old[name])
  const { active = 0, startTime, completionTime } = next
  const finished = isFinished(next) && isFinished(next) !== isFinished(old)
  const isEmpty = suspend === true && completions === 0
  const { succeeded = [], failed: lost = [] } = next.uncountedTerminatedPods ?? {}
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
      failed && !has(next, 'FailureTarget') && (changed('Failed') || moved('failedIndexes')),
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
      isFinished(next) && startTime === undefined && !isEmpty && (finished || moved('startTime')),
      () => requiredField('status.startTime', 'startTime is required for finished job'),
    ],
    [
      isFinished(next) && succeeded.length + lost.length > 0 && (finished || moved('uncountedTerminatedPods')),
      () =>
        invalidField(
          'status.uncountedTerminatedPods',
          { Succeeded: uids(succeeded), Failed: uids(lost) },
          'must be empty for finished job',
        ),
    ],
  ]
  return rules.flatMap(([broken, finding]) => (broken ? [finding()] : []))
}

const uids = (list: readonly string[]): readonly string[] | null => (list.length > 0 ? list : null)

/** The numbers of the pods that are done, and of those that failed too often. */
function validateIndexes(next: JobStatus, old: JobStatus, spec: Spec): FieldError[] {
  const { completedIndexes: done = '', failedIndexes: failed } = next
  const { completions, backoffLimitPerIndex: limit } = spec
  const [isDone, isFailed] = [done !== (old.completedIndexes ?? ''), failed !== old.failedIndexes]
  const [completed, lost] = ['status.completedIndexes', 'status.failedIndexes']
  const malformed = (text: string, field: string): FieldError[] => {
    const read = readIntervals(text, completions ?? 0)
    const name = field.slice(field.indexOf('.') + 1)
    return typeof read === 'string' ? [invalidField(field, text, `error parsing ${name}: ${read}`)] : []
  }
  const unnumbered = 'cannot set non-empty completedIndexes when non-indexed completion mode'
  const unlimited = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
  const shared =
    (isDone || isFailed) && completions !== undefined && failed ? firstShared(done, failed, completions) : undefined
  return [
    ...(isDone && completions !== undefined ? malformed(done, completed!) : []),
    ...(isFailed && completions !== undefined && limit !== undefined && failed !== undefined
      ? malformed(failed, lost!)
      : []),
    ...(isDone && done !== '' && spec.completionMode !== 'Indexed' ? [invalidField(completed!, done, unnumbered)] : []),
    ...(isFailed && failed !== undefined && limit === undefined ? [invalidField(lost!, failed, unlimited)] : []),
    ...(shared === undefined
      ? []
      : [invalidField(lost!, failed, `failedIndexes and completedIndexes overlap at index: ${shared}`)]),
  ]
}

/** The pods that still run. */
function validateRunning(next: JobStatus, old: JobStatus): FieldError[] {
  const { terminating, ready, active = 0 } = next
  const finished = isFinished(next) !== isFinished(old)
  const isLate = isFinished(next) && (terminating ?? 0) > 0 && (finished || terminating !== old.terminating)
  const isMoved = ready !== old.ready || active !== (old.active ?? 0)
  return [
    ...(isLate ? [invalidField('status.terminating', terminating, 'terminating>0 is invalid for finished job')] : []),
    ...(isMoved && ready !== undefined && ready > active
      ? [invalidField('status.ready', ready, 'cannot set more ready pods than active')]
      : []),
  ]
}

/** An early success excludes a failure, and comes before the end. */
function validateSuccess(next: JobStatus, { successPolicy }: Spec): FieldError[] {
  const isMet = has(next, 'SuccessCriteriaMet')
  const unmet = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'
  return [
    ...(isMet && has(next, 'Failed')
      ? [wrong(CONDITIONS, 'cannot set SuccessCriteriaMet=True and Failed=true conditions')]
      : []),
    ...(isMet && has(next, 'FailureTarget')
      ? [wrong(CONDITIONS, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions')]
      : []),
    ...(successPolicy && !isMet && has(next, 'Complete') ? [wrong(CONDITIONS, unmet)] : []),
  ]
}

function validateChange(next: JobStatus, old: JobStatus, spec: Spec): FieldError[] {
  const lost = TERMINAL.filter((type) => has(old, type) && !has(next, type))
  const fewer = (['failed', 'succeeded'] as const).filter((name) => (next[name] ?? 0) < (old[name] ?? 0))
  const { startTime, completionTime } = next
  const isScaled = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism
  const isResumed = has(old, 'Suspended') && isFalse(next, 'Suspended')
  return [
    ...lost.map((type) => wrong(CONDITIONS, `cannot disable the terminal ${type}=True condition`)),
    ...fewer
      .filter((name) => name === 'failed' || !isScaled)
      .map((name) => invalidField(`status.${name}`, next[name] ?? 0, `cannot decrease the ${name} counter`)),
    ...(completionTime !== undefined && old.completionTime !== undefined && completionTime !== old.completionTime
      ? [invalidField('status.completionTime', completionTime, 'field is immutable')]
      : []),
    ...(old.startTime !== undefined && startTime !== old.startTime && !spec.suspend && !isResumed
      ? [invalidField('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set')]
      : []),
    ...(has(old, 'SuccessCriteriaMet') && !has(next, 'SuccessCriteriaMet')
      ? [wrong(CONDITIONS, 'cannot disable the SuccessCriteriaMet=True condition')]
      : []),
    ...(has(old, 'Complete') && !has(old, 'SuccessCriteriaMet') && has(next, 'SuccessCriteriaMet')
      ? [wrong(CONDITIONS, 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')]
      : []),
  ]
}
