import { expect, test } from 'vitest'
import type { Job } from '@/lib/kube/kinds'
import { formatIndexes, type JobPlan, type JobPod, parseIndexes, planJob } from './job-plan'

const NOW = Date.UTC(2026, 0, 1, 12)
const START = '2026-01-01T11:59:00Z'

const job = (spec: Partial<Job['spec']> = {}, status: Job['status'] = { startTime: START }): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sum', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: START },
  spec: { parallelism: 1, completions: 1, backoffLimit: 6, template: { spec: { containers: [] } }, ...spec },
  status,
})
const pod = (name: string, rest: Partial<JobPod> = {}): JobPod => ({
  name,
  phase: 'active',
  ready: true,
  going: false,
  ...rest,
})
const done = (name: string, rest: Partial<JobPod> = {}): JobPod =>
  pod(name, { phase: 'succeeded', ready: false, endedAt: NOW - 1000, ...rest })
const broken = (name: string, secondsAgo = 1): JobPod =>
  pod(name, { phase: 'failed', ready: false, endedAt: NOW - secondsAgo * 1000 })
const plan = (spec: Partial<Job['spec']>, pods: JobPod[], status?: Job['status']): JobPlan =>
  planJob({ job: job(spec, status), pods, now: NOW })
const INTENDED = (type: string, reason: string): Job['status'] => ({
  startTime: START,
  conditions: [{ type, status: 'True', reason }],
})

test.each<[string, JobPlan, { create?: unknown[]; remove?: string[]; recheckMs?: number }]>([
  ['a new Job starts its pod', plan({}, []), { create: [{}] }],
  ['as many as may run at the same time', plan({ parallelism: 2, completions: 5 }, []), { create: [{}, {}] }],
  ['never more than are missing', plan({ parallelism: 3, completions: 3 }, [done('a'), done('b')]), { create: [{}] }],
  ['surplus pods go', plan({ parallelism: 1, completions: 3 }, [pod('a'), pod('b')]), { remove: ['a'] }],
  ['a failed pod is replaced after 10 s', plan({}, [broken('a', 4)]), { recheckMs: 6000 }],
  ['the pause doubles', plan({}, [broken('a', 30), broken('b', 4)]), { recheckMs: 16_000 }],
  [
    'it is at most 10 min',
    plan(
      { backoffLimit: 20 },
      Array.from({ length: 12 }, (_, index) => broken(`p${index}`, 0)),
    ),
    { recheckMs: 600_000 },
  ],
  ['a success ends the pause', plan({ completions: 2 }, [broken('a', 4), done('b')]), { create: [{}] }],
  [
    'an indexed Job makes the lowest numbers that are missing',
    plan({ completionMode: 'Indexed', parallelism: 2, completions: 4 }, [
      done('a', { index: 0 }),
      pod('b', { index: 2 }),
    ]),
    { create: [{ index: 1 }] },
  ],
  ['a suspended Job runs nothing', plan({ suspend: true }, [pod('a')]), { remove: ['a'] }],
  [
    'a queue of work without a count ends with its first success',
    plan({ completions: undefined, parallelism: 2 }, [done('a'), pod('b')]),
    {},
  ],
  ['a deadline is looked for in time', plan({ activeDeadlineSeconds: 100 }, [pod('a')]), { recheckMs: 40_000 }],
  [
    'too many failures end what still runs',
    plan({ parallelism: 2, completions: 2, backoffLimit: 0 }, [broken('a'), pod('b')]),
    { remove: ['b'] },
  ],
  [
    'a pod that goes is not replaced before it is gone, where that is asked for',
    plan({ podReplacementPolicy: 'Failed' }, [pod('a', { going: true })]),
    {},
  ],
])('%s', (_sentence, actual, { create = [], remove = [], recheckMs }) => {
  expect({ create: actual.create, remove: actual.remove, recheckMs: actual.recheckMs }).toEqual({
    create,
    remove,
    recheckMs,
  })
})

test.each<[string, JobPlan, object]>([
  [
    'a running Job',
    plan({ parallelism: 2, completions: 3 }, [done('a'), pod('b')]),
    { active: 2, ready: 1, succeeded: 1, failed: 0, terminating: 0, startTime: START, uncountedTerminatedPods: {} },
  ],
  [
    'a Job that has enough but still ends pods',
    plan({}, [done('a'), pod('b', { going: true })]),
    {
      succeeded: 1,
      terminating: 1,
      conditions: [{ type: 'SuccessCriteriaMet', status: 'True', reason: 'CompletionsReached' }],
    },
  ],
  [
    'a complete Job',
    plan({}, [done('a')]),
    {
      active: 0,
      succeeded: 1,
      completionTime: '2026-01-01T12:00:00Z',
      conditions: [
        { type: 'SuccessCriteriaMet' },
        { type: 'Complete', message: 'Reached expected number of succeeded pods' },
      ],
    },
  ],
  [
    'a Job that failed too often',
    plan({ backoffLimit: 0 }, [broken('a')]),
    {
      failed: 1,
      conditions: [
        { type: 'FailureTarget', reason: 'BackoffLimitExceeded' },
        { type: 'Failed', message: 'Job has reached the specified backoff limit' },
      ],
    },
  ],
  [
    'a Job that ran too long',
    plan({ activeDeadlineSeconds: 60 }, []),
    { conditions: [{ type: 'FailureTarget', reason: 'DeadlineExceeded' }, { type: 'Failed' }] },
  ],
  [
    'a Job that was given up stays so',
    plan({}, [done('a')], INTENDED('FailureTarget', 'BackoffLimitExceeded')),
    { conditions: [{ type: 'FailureTarget' }, { type: 'Failed' }] },
  ],
  [
    'a suspended Job',
    plan({ suspend: true }, []),
    { conditions: [{ type: 'Suspended', status: 'True', reason: 'JobSuspended' }] },
  ],
  [
    'a Job that was resumed',
    plan({}, [], { conditions: [{ type: 'Suspended', status: 'True' }] }),
    {
      startTime: '2026-01-01T12:00:00Z',
      conditions: [{ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' }],
    },
  ],
  [
    'what was cleared away stays counted',
    plan({ completions: 5 }, [], { startTime: START, succeeded: 2, failed: 1 }),
    { succeeded: 2, failed: 1 },
  ],
  [
    'the numbers of an indexed Job',
    plan({ completionMode: 'Indexed', completions: 9 }, [done('a', { index: 3 })], {
      startTime: START,
      completedIndexes: '0-2,5',
    }),
    { completedIndexes: '0-3,5', succeeded: 5 },
  ],
])('%s says so', (_what, { status }, expected) => {
  expect(status).toMatchObject(expected)
})

test('a suspended Job has no start', () => {
  expect(plan({ suspend: true }, []).status.startTime).toBeUndefined()
})

test.each([
  ['', []],
  ['4', [4]],
  ['0,1', [0, 1]],
  ['0-2,5', [0, 1, 2, 5]],
])('numbers %j are written and read', (text, numbers) => {
  expect(parseIndexes(text)).toEqual(numbers)
  expect(formatIndexes(numbers)).toBe(text)
})
