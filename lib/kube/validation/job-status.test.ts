import { expect, it } from 'vitest'
import type { UnknownObject } from '../object'
import { validateJobStatus } from './job-status'

const job = (status: object, spec: object = {}): UnknownObject =>
  ({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec, status }) as unknown as UnknownObject
const conditions = (...types: string[]): object => ({ conditions: types.map((type) => ({ type, status: 'True' })) })

const began = { startTime: '2026-01-01T00:00:00Z' }
const ended = { ...began, completionTime: '2026-01-01T00:01:00Z' }
const CANNOT = 'status.conditions: Invalid value: cannot'

it.each<[string, object, object, string[]]>([
  ['running', {}, { ...began, active: 1 }, []],
  ['a negative count', {}, { ready: -1 }, ['status.ready: Invalid value: -1: must be greater than or equal to 0']],
  ['complete', {}, { ...ended, ...conditions('SuccessCriteriaMet', 'Complete') }, []],
  ['failed', {}, { ...began, ...conditions('FailureTarget', 'Failed') }, []],
  [
    'failed without a reason to',
    {},
    { ...began, ...conditions('Failed') },
    [`${CANNOT} set Failed=True condition without the FailureTarget=true condition`],
  ],
  [
    'complete without its criteria, its times and its end',
    {},
    { active: 1, ...conditions('Complete') },
    [
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      `${CANNOT} set Complete=True condition without the SuccessCriteriaMet=true condition`,
      'status.active: Invalid value: 1: active>0 is invalid for finished job',
      'status.startTime: Required value: startTime is required for finished job',
    ],
  ],
  [
    'a time of an end that is not there',
    began,
    ended,
    [
      'status.completionTime: Invalid value: "2026-01-01T00:01:00Z": cannot set completionTime when there is no Complete=True condition',
    ],
  ],
  [
    'another start',
    began,
    { startTime: '2026-01-01T00:00:01Z' },
    ['status.startTime: Invalid value: "2026-01-01T00:00:01Z": field is immutable for unsuspended job once set'],
  ],
  [
    'fewer failures',
    { failed: 2 },
    { failed: 1 },
    ['status.failed: Invalid value: 1: cannot decrease the failed counter'],
  ],
  [
    'an end that is taken back',
    { ...began, ...conditions('FailureTarget', 'Failed') },
    { ...began, ...conditions('FailureTarget') },
    [`${CANNOT} disable the terminal Failed=True condition`],
  ],
  [
    'a broken status of old that stays',
    { ...began, ...conditions('Failed') },
    { ...began, ...conditions('Failed') },
    [],
  ],
])('%s', (_, old, next, findings) => {
  const found = validateJobStatus(job(next), job(old))
  expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(findings)
})
