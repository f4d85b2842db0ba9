/** Aggregates the status of Jobs and CronJobs. */
import { cronJobStatus, jobStatus } from './shapes'
import {
  type AggregationInput,
  collected,
  type Collected,
  type Fields,
  replacedStatus,
  total,
  unlessEmpty,
} from './member-status'

interface JobCondition {
  type: string
  status: string
}

/** Aggregates a Job. A finished Job is not changed again; otherwise the whole status is replaced. */
export function aggregateJobStatus({ template, items, now }: AggregationInput): Fields | undefined {
  const old = (template.status ?? {}) as Fields
  if (finished(old)) return undefined
  const statuses = collected(items, jobStatus)
  const every = (test: (status: Fields) => boolean) =>
    statuses.length === items.length && statuses.length > 0 && statuses.every(({ status }) => test(status))
  const times = (field: string) => statuses.map(({ status }) => status[field]).filter((time) => time !== undefined)
  const startTimes = times('startTime') as string[]
  const completionTimes = times('completionTime') as string[]
  return replacedStatus(template, jobStatus, {
    active: total(statuses, 'active'),
    succeeded: total(statuses, 'succeeded'),
    failed: total(statuses, 'failed'),
    conditions: unlessEmpty(conditions(statuses, every, now)),
    startTime: old.startTime ?? (startTimes.length === items.length ? earliest(startTimes) : undefined),
    completionTime: completionTimes.length === items.length ? latest(completionTimes) : undefined,
  })
}

function conditions(
  statuses: readonly Collected[],
  every: (test: (status: Fields) => boolean) => boolean,
  now: string,
): Fields[] {
  const condition = (type: string, reason: string, message: string): Fields => ({
    type,
    status: 'True',
    lastProbeTime: now,
    lastTransitionTime: now,
    reason,
    message,
  })
  const failed = statuses.filter(({ status }) => finished(status) === 'Failed').map(({ clusterName }) => clusterName)
  const complete = every((status) => finished(status) === 'Complete')
  const out: Fields[] = []
  // upstream: Karmada default interpreter, ParsingJobStatus
  if (failed.length > 0) {
    out.push(condition('Failed', 'JobFailed', `Job executed failed in member clusters ${failed.join(',')}`))
  }
  // upstream: the same
  if (complete) out.push(condition('Complete', 'Completed', 'Job completed'))
  if (complete && every((status) => hasTrue(status, 'SuccessCriteriaMet'))) {
    // upstream: the same
    out.push(condition('SuccessCriteriaMet', 'CompletionsReached', 'All member clusters have met success criteria'))
  }
  return out
}

/** Returns how the Job ended, by the first true finishing condition. */
function finished(status: Fields): 'Complete' | 'Failed' | undefined {
  const end = jobConditions(status).find(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  )
  return end?.type as 'Complete' | 'Failed' | undefined
}

function hasTrue(status: Fields, type: string): boolean {
  return jobConditions(status).some((condition) => condition.type === type && condition.status === 'True')
}

function jobConditions(status: Fields): readonly JobCondition[] {
  return (status.conditions ?? []) as JobCondition[]
}

const earliest = (times: readonly string[]): string | undefined => [...times].sort(byTime)[0]
const latest = (times: readonly string[]): string | undefined => [...times].sort(byTime).at(-1)
const byTime = (left: string, right: string): number => Date.parse(left) - Date.parse(right)

/** Aggregates a CronJob: the active Jobs of all members, and the latest times. */
export function aggregateCronJobStatus({ template, items }: AggregationInput): Fields | undefined {
  const statuses = collected(items, cronJobStatus)
  const times = (field: string) =>
    statuses.map(({ status }) => status[field] as string | undefined).filter((time) => time !== undefined)
  return replacedStatus(template, cronJobStatus, {
    active: unlessEmpty(statuses.flatMap(({ status }) => (status.active ?? []) as unknown[])),
    lastScheduleTime: latest(times('lastScheduleTime')),
    lastSuccessfulTime: latest(times('lastSuccessfulTime')),
  })
}
