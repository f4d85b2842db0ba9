/** Creates a Job when the schedule of a CronJob is due, and limits the history. */
import { isAlreadyExists, isNotFound } from '@/lib/kube/errors'
import { parseCronSchedule, type ParsedSchedule } from '@/lib/kube/cron-schedule'
import { lastCronTime, nextCronTime } from '@/lib/kube/cron-times'
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import { cronJob as cronJobKind, job as jobKind, type CronJob, type Job } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import { formatTime, parseTime, type EpochMs } from '@/lib/std/clock'
import { type Controller, type ReconcileResult, watch } from '@/server/runtime/controller'
import type { MemberContext } from '../member-context'
import { indexByController, ownedBy, ownedObjects, ownerKey } from '../ownership'
import { hasFinished } from './job-plan'

const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

export function cronJobController(member: MemberContext): Controller {
  indexByController(member.informers.of(jobKind))
  return {
    name: 'cron-job',
    watches: [
      watch({ kind: cronJobKind }),
      watch({
        kind: jobKind,
        keys: (change) => {
          const key = ownerKey(change.type === 'deleted' ? change.old : change.object, cronJobKind)
          return key === undefined ? [] : [key]
        },
      }),
    ],
    reconcile: (key) => reconcile(member, key),
  }
}

/** Times of the schedule are in UTC, and `timeZone` is ignored. */
async function reconcile(member: MemberContext, key: ObjectKey): Promise<ReconcileResult> {
  const cron = member.informers.of(cronJobKind).get(key)
  if (!cron || cron.metadata.deletionTimestamp) return
  const jobs = ownedObjects(member.informers.of(jobKind), cron).filter(({ metadata }) => !metadata.deletionTimestamp)
  await deleteOldJobs(member, cron, jobs)
  const parsed = parseCronSchedule(cron.spec.schedule)
  const schedule = parsed.ok && !cron.spec.suspend ? parsed.value : undefined
  const now = member.clock.now()
  const due = schedule && dueTime(cron, schedule, now)
  const active = jobs.filter((job) => !hasFinished(job))
  const started = due === undefined ? undefined : await start(member, cron, { due, active })
  await writeStatus(member, cron, { jobs, started, due })
  const next = schedule && upcoming(schedule, { last: due ?? lastTime(cron), now })
  if (next !== undefined) return { requeueAfterMs: next - now }
}

/** Durations count from the last time; missed times are not repeated. */
function upcoming(schedule: ParsedSchedule, { last, now }: { last: EpochMs; now: EpochMs }): EpochMs | undefined {
  const next = nextCronTime(schedule, last)
  return next !== undefined && next <= now ? nextCronTime(schedule, now) : next
}

const lastTime = ({ metadata, status }: CronJob): EpochMs =>
  parseTime(status?.lastScheduleTime ?? metadata.creationTimestamp)

/** The newest time without a Job; times beyond the starting deadline are skipped. */
function dueTime(cron: CronJob, schedule: ParsedSchedule, now: EpochMs): EpochMs | undefined {
  const { startingDeadlineSeconds } = cron.spec
  const oldest = startingDeadlineSeconds === undefined ? -Infinity : now - startingDeadlineSeconds * 1000
  return lastCronTime(schedule, { after: Math.max(lastTime(cron), oldest), until: now })
}

/** Creates the Job; undefined when the concurrency policy forbids it while another Job runs. */
async function start(
  member: MemberContext,
  cron: CronJob,
  { due, active }: { due: EpochMs; active: readonly Job[] },
): Promise<Job | undefined> {
  const { concurrencyPolicy } = cron.spec
  if (concurrencyPolicy === 'Forbid' && active.length > 0) return undefined
  if (concurrencyPolicy === 'Replace') for (const job of active) await remove(member, job)
  const { metadata, spec } = cron.spec.jobTemplate
  const { namespace } = cron.metadata
  const name = `${cron.metadata.name}-${Math.floor(due / 60_000)}`
  try {
    return await member.client.create(jobKind, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        namespace,
        ...(metadata?.labels && { labels: metadata.labels }),
        annotations: { ...metadata?.annotations, [SCHEDULED_AT]: formatTime(due) },
        ownerReferences: [ownedBy(cronJobKind, cron)],
      },
      spec: spec ?? { template: { spec: { containers: [] } } },
    })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    return member.client.get(jobKind, { namespace, name })
  }
}

async function remove({ client }: MemberContext, { metadata: { namespace, name, uid } }: Job): Promise<void> {
  try {
    await client.delete(jobKind, { namespace, name }, { propagationPolicy: 'Background', preconditions: { uid } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Deletes the oldest finished Jobs beyond the history limits. */
async function deleteOldJobs(member: MemberContext, { spec }: CronJob, jobs: readonly Job[]): Promise<void> {
  const oldest = (type: string): Job[] =>
    jobs
      .filter(({ status }) => isConditionTrue(status?.conditions, type))
      .toSorted((a, b) => parseTime(a.status?.startTime ?? '') - parseTime(b.status?.startTime ?? ''))
  for (const [list, limit] of [
    [oldest('Complete'), spec.successfulJobsHistoryLimit ?? 3],
    [oldest('Failed'), spec.failedJobsHistoryLimit ?? 1],
  ] as const) {
    for (const job of list.slice(0, Math.max(0, list.length - limit))) await remove(member, job)
  }
}

interface Pass {
  jobs: readonly Job[]
  started: Job | undefined
  due: EpochMs | undefined
}

async function writeStatus({ client }: MemberContext, cron: CronJob, { jobs, started, due }: Pass): Promise<void> {
  const running = [
    ...jobs.filter((job) => !hasFinished(job) && job.metadata.uid !== started?.metadata.uid),
    ...(started ? [started] : []),
  ]
  const ends = jobs.map(({ status }) =>
    findCondition(status?.conditions, 'Complete') ? status?.completionTime : undefined,
  )
  const lastSuccessfulTime = [cron.status?.lastSuccessfulTime, ...ends]
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1)
  const status = {
    active: running.map(({ metadata: { namespace, name, uid, resourceVersion } }) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      namespace,
      name,
      uid,
      resourceVersion,
    })),
    ...(cron.status?.lastScheduleTime && { lastScheduleTime: cron.status.lastScheduleTime }),
    ...(started && due !== undefined && { lastScheduleTime: formatTime(due) }),
    ...(lastSuccessfulTime && { lastSuccessfulTime }),
  }
  if (says(cron.status) === says(status)) return
  const { namespace, name } = cron.metadata
  await client.patch(cronJobKind, { namespace, name }, { type: 'merge', value: { status } }, { subresource: 'status' })
}

/** The relevant part of a status, without the versions of the Jobs. */
const says = (status: CronJob['status']): string =>
  JSON.stringify([status?.active?.map(({ uid }) => uid) ?? [], status?.lastScheduleTime, status?.lastSuccessfulTime])
