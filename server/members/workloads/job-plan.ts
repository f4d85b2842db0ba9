/** The next step and the status of a Job, as the job controller decides them. */
import { isConditionTrue } from '@/lib/kube/conditions'
import type { Job, WorkloadCondition } from '@/lib/kube/kinds'
import { formatTime, parseTime, type EpochMs } from '@/lib/std/clock'
import { boundedReplicas, PODS_PER_WORKLOAD } from '../pod-limits'

export type JobStatus = NonNullable<Job['status']>

/** A pod of the Job. */
export interface JobPod {
  name: string
  phase: 'active' | 'succeeded' | 'failed'
  ready: boolean
  /** Being deleted. */
  going: boolean
  /** Index in an indexed Job. */
  index?: number
  /** When it ended. */
  endedAt?: EpochMs
}

export interface JobSnapshot {
  job: Job
  /** In order of deletion. */
  pods: readonly JobPod[]
  now: EpochMs
}

export interface JobPlan {
  /** One pod each; with its index in an indexed Job. */
  create: { index?: number }[]
  /** Names of pods. */
  remove: string[]
  status: JobStatus
  /** Until a deadline or the end of a pause after failures. */
  recheckMs?: number
}

const FIRST_PAUSE_MS = 10_000
const MAX_PAUSE_MS = 600_000

/** Condition types, reason and message of each result. */
const ENDS = {
  success: ['SuccessCriteriaMet', 'Complete', 'CompletionsReached', 'Reached expected number of succeeded pods'],
  failure: ['FailureTarget', 'Failed', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit'],
  deadline: ['FailureTarget', 'Failed', 'DeadlineExceeded', 'Job was active longer than specified deadline'],
} as const
type End = keyof typeof ENDS

/** True if the Job has finished and has no running pods. */
export function hasFinished({ status }: Job): boolean {
  return isConditionTrue(status?.conditions, 'Complete') || isConditionTrue(status?.conditions, 'Failed')
}

/**
 * One step. A Job ends when enough pods have succeeded, more have failed than `backoffLimit`, or it ran longer than
 * `activeDeadlineSeconds`: first the intended condition is written and running pods are deleted, then the final
 * condition. A suspended Job runs nothing and its time does not count.
 */
export function planJob(snapshot: JobSnapshot): JobPlan {
  const { job, pods } = snapshot
  const counts = countPods(snapshot)
  const active = pods.filter(({ phase, going }) => phase === 'active' && !going)
  const suspended = job.spec.suspend ?? false
  const startTime = suspended ? undefined : (job.status?.startTime ?? formatTime(snapshot.now))
  const end = endOf(snapshot, { ...counts, active: active.length, startTime })
  if (end ?? suspended) {
    return {
      create: [],
      remove: active.map(({ name }) => name),
      status: statusOf(snapshot, { counts, active: [], startTime, end }),
    }
  }
  const { create, leaving, pauseMs } = wanted(snapshot, active, counts)
  const staying = active.filter((pod) => !leaving.includes(pod))
  const recheckMs = soonest(pauseMs, deadlineMs(snapshot, startTime))
  return {
    create,
    remove: leaving.map(({ name }) => name),
    status: statusOf(snapshot, {
      counts,
      active: [...staying, ...create.map(() => ({ ready: false }))],
      startTime,
      end,
    }),
    ...(recheckMs !== undefined && { recheckMs }),
  }
}

interface Counts {
  succeeded: number
  failed: number
  /** Of an indexed Job, in order. */
  completed: number[]
}

/** Deleted completed pods stay counted. */
function countPods({ job: { spec, status }, pods }: JobSnapshot): Counts {
  const failed = pods.filter(({ phase }) => phase === 'failed').length
  const completed = indexesOf(pods, status?.completedIndexes)
  const succeeded =
    spec.completionMode === 'Indexed' ? completed.length : pods.filter(({ phase }) => phase === 'succeeded').length
  return {
    succeeded: Math.max(succeeded, status?.succeeded ?? 0),
    failed: Math.max(failed, status?.failed ?? 0),
    completed,
  }
}

function indexesOf(pods: readonly JobPod[], known: string | undefined): number[] {
  const now = pods
    .filter(({ phase }) => phase === 'succeeded')
    .flatMap(({ index }) => (index === undefined ? [] : [index]))
  return [...new Set([...parseIndexes(known ?? ''), ...now])].toSorted((a, b) => a - b)
}

interface Progress extends Counts {
  active: number
  startTime: string | undefined
}

/** An earlier decision is kept. */
function endOf(
  { job: { spec, status }, now }: JobSnapshot,
  { succeeded, failed, active, startTime }: Progress,
): End | undefined {
  const decided = status?.conditions?.find(
    ({ type, status: value }) => value === 'True' && (type === 'FailureTarget' || type === 'SuccessCriteriaMet'),
  )
  if (decided)
    return decided.type === 'SuccessCriteriaMet'
      ? 'success'
      : decided.reason === 'DeadlineExceeded'
        ? 'deadline'
        : 'failure'
  if (failed > (spec.backoffLimit ?? 6)) return 'failure'
  const { completions, activeDeadlineSeconds } = spec
  if (activeDeadlineSeconds !== undefined && startTime && now >= parseTime(startTime) + activeDeadlineSeconds * 1000)
    return 'deadline'
  const enough = completions === undefined ? succeeded > 0 && active === 0 : succeeded >= completions
  return enough ? 'success' : undefined
}

function wanted({ job: { spec }, pods, now }: JobSnapshot, active: readonly JobPod[], counts: Counts) {
  const { completions } = spec
  const parallelism = boundedReplicas(spec.parallelism ?? 1)
  const atOnce =
    completions === undefined
      ? counts.succeeded > 0
        ? Math.min(active.length, parallelism)
        : parallelism
      : Math.min(parallelism, completions - counts.succeeded)
  const leaving = active.slice(0, Math.max(0, active.length - atOnce))
  const going = spec.podReplacementPolicy === 'Failed' ? pods.filter((pod) => pod.going).length : 0
  const missing = Math.max(0, Math.min(atOnce - active.length - going, PODS_PER_WORKLOAD - pods.length))
  const pauseMs = missing > 0 ? pauseAfterFailures(pods, now) : 0
  if (pauseMs > 0) return { create: [], leaving, pauseMs }
  if (spec.completionMode !== 'Indexed') return { create: Array.from({ length: missing }, () => ({})), leaving }
  const taken = new Set([...counts.completed, ...active.map(({ index }) => index)])
  return { create: firstFree(missing, completions ?? 0, taken).map((index) => ({ index })), leaving }
}

/** The lowest `count` indexes below `end` that are not taken. */
function firstFree(count: number, end: number, taken: ReadonlySet<number | undefined>): number[] {
  const free: number[] = []
  for (let index = 0; index < end && free.length < count; index += 1) if (!taken.has(index)) free.push(index)
  return free
}

/** Returns the number of pods that a Job has in the end, including finished ones. */
export const podsAskedBy = ({ spec: { parallelism = 1, completions = 0 } }: Job): number =>
  Math.max(parallelism, completions)

/** 10 s after the first failure since the last success, doubling with each further one, at most 10 min. */
function pauseAfterFailures(pods: readonly JobPod[], now: EpochMs): number {
  const lastSuccess = Math.max(
    -Infinity,
    ...pods.filter(({ phase }) => phase === 'succeeded').map(({ endedAt = 0 }) => endedAt),
  )
  const failures = pods
    .filter(({ phase, endedAt = 0 }) => phase === 'failed' && endedAt > lastSuccess)
    .map(({ endedAt = 0 }) => endedAt)
  if (failures.length === 0) return 0
  return Math.max(...failures) + Math.min(FIRST_PAUSE_MS * 2 ** (failures.length - 1), MAX_PAUSE_MS) - now
}

function deadlineMs({ job: { spec }, now }: JobSnapshot, startTime: string | undefined): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || !startTime) return undefined
  return parseTime(startTime) + spec.activeDeadlineSeconds * 1000 - now
}

function soonest(...times: (number | undefined)[]): number | undefined {
  const known = times.filter((ms) => ms !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

interface Outcome {
  counts: Counts
  active: readonly { ready: boolean }[]
  startTime: string | undefined
  end: End | undefined
}

function statusOf(snapshot: JobSnapshot, { counts, active, startTime, end }: Outcome): JobStatus {
  const { job, pods, now } = snapshot
  const running = pods.filter(({ phase }) => phase === 'active').length
  const over = end !== undefined && running === 0
  const conditions = conditionsOf(snapshot, end, over)
  const status: JobStatus = {
    ...(conditions.length > 0 && { conditions }),
    ...(startTime !== undefined && { startTime }),
    ...(over && end === 'success' && { completionTime: formatTime(now) }),
    active: active.length,
    ready: active.filter(({ ready }) => ready).length,
    succeeded: counts.succeeded,
    failed: counts.failed,
    terminating: pods.filter(({ phase, going }) => going && phase === 'active').length,
    uncountedTerminatedPods: {},
  }
  return job.spec.completionMode === 'Indexed'
    ? { ...status, completedIndexes: formatIndexes(counts.completed) }
    : status
}

function conditionsOf({ job, now }: JobSnapshot, end: End | undefined, over: boolean): WorkloadCondition[] {
  const kept = job.status?.conditions ?? []
  const time = formatTime(now)
  const add = (list: WorkloadCondition[], type: string, rest: Omit<WorkloadCondition, 'type'>): WorkloadCondition[] => {
    if (list.some((one) => one.type === type && one.status === rest.status)) return list
    return [
      ...list.filter((one) => one.type !== type),
      { type, ...rest, lastProbeTime: time, lastTransitionTime: time },
    ]
  }
  if (!end) return suspension(job, kept, add)
  const [intention, final, reason, message] = ENDS[end]
  const told = add(kept, intention, { status: 'True', reason, message })
  return over ? add(told, final, { status: 'True', reason, message }) : told
}

type Add = (list: WorkloadCondition[], type: string, rest: Omit<WorkloadCondition, 'type'>) => WorkloadCondition[]

/** A Job that was never suspended gets no condition. */
function suspension({ spec }: Job, kept: WorkloadCondition[], add: Add): WorkloadCondition[] {
  if (spec.suspend) return add(kept, 'Suspended', { status: 'True', reason: 'JobSuspended', message: 'Job suspended' })
  if (!kept.some(({ type }) => type === 'Suspended')) return kept
  return add(kept, 'Suspended', { status: 'False', reason: 'JobResumed', message: 'Job resumed' })
}

/** `0-2,5` as numbers; limited to the Job's pods, because the text comes from a user. */
export function parseIndexes(text: string): number[] {
  const indexes: number[] = []
  for (const part of text.split(',')) {
    const [first = NaN, last = first] = part === '' ? [] : part.split('-').map(Number)
    for (let index = first; index <= last && indexes.length < PODS_PER_WORKLOAD; index += 1) indexes.push(index)
  }
  return indexes
}

/** Numbers in order as `0-2,5`. */
export function formatIndexes(indexes: readonly number[]): string {
  const runs: [number, number][] = []
  for (const index of indexes) {
    const last = runs.at(-1)
    if (last && last[1] === index - 1) last[1] = index
    else runs.push([index, index])
  }
  return runs
    .map(([first, last]) =>
      first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`,
    )
    .join(',')
}
