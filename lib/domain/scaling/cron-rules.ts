/** Computes the due rules of a CronFederatedHPA, and the execution history in its status. */
import { parseCronSchedule, type ParsedSchedule } from '../../kube/cron-schedule'
import { nextCronTime } from '../../kube/cron-times'
import type { CronFederatedHpa } from '../../kube/kinds/cron-federated-hpa'
import { type EpochMs, formatTime, parseTime } from '../../std/clock'

export type CronRule = CronFederatedHpa['spec']['rules'][number]
export type CronHistory = NonNullable<NonNullable<CronFederatedHpa['status']>['executionHistories']>[number]

/** Delay after which a missed time is skipped, for example after a restart. */
const LATEST_MS = 60_000
const DEFAULT_LIMIT = 3

/** A due rule and its scheduled time. */
export interface DueRule {
  rule: CronRule
  at: EpochMs
}

export interface CronPlan {
  due: DueRule[]
  /** One for each rule in their order; those of removed rules are dropped. */
  histories: CronHistory[]
  /** The next time of any rule. */
  next: EpochMs | undefined
}

/**
 * Plans the rules at a moment. The status remembers the next time of each rule; a time that no longer belongs to its
 * schedule is replaced, and a rule that is suspended or cannot be read has none.
 */
export function planCronRules({ spec, status }: Pick<CronFederatedHpa, 'spec' | 'status'>, now: EpochMs): CronPlan {
  const due: DueRule[] = []
  const times: EpochMs[] = []
  const histories = spec.rules.map((rule): CronHistory => {
    const { nextExecutionTime: planned, ...known } = status?.executionHistories?.find(
      ({ ruleName }) => ruleName === rule.name,
    ) ?? { ruleName: rule.name }
    const next = nextOf(rule, now)
    if (next === undefined) return known
    times.push(next)
    const at = planned === undefined ? undefined : parseTime(planned)
    if (at !== undefined && at <= now && now - at <= LATEST_MS) due.push({ rule, at })
    return { ...known, nextExecutionTime: formatTime(next) }
  })
  return { due, histories, next: times.length > 0 ? Math.min(...times) : undefined }
}

/** Undefined for a rule that does not run. */
function nextOf({ schedule, suspend, timeZone }: CronRule, now: EpochMs): EpochMs | undefined {
  const parsed = parseCronSchedule(schedule)
  if (suspend || !parsed.ok) return undefined
  return nextInZone(parsed.value, now, timeZone)
}

/** Schedules are of the clock on the wall of their zone; without one, of UTC. */
function nextInZone(schedule: ParsedSchedule, now: EpochMs, timeZone: string | undefined): EpochMs | undefined {
  const before = offsetOf(now, timeZone)
  const local = nextCronTime(schedule, now + before)
  if (local === undefined) return undefined
  // The offset may have changed until then.
  return local - offsetOf(local - before, timeZone)
}

/** How far the clock of a zone is ahead of UTC; 0 for a zone that is not known. */
function offsetOf(at: EpochMs, timeZone: string | undefined): number {
  if (timeZone === undefined) return 0
  try {
    const format = new Intl.DateTimeFormat('en-US', { ...FIELDS, timeZone })
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

const FIELDS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

/** What happened to a rule that was due; without `failure` it was carried out. */
export interface Execution extends DueRule {
  failure: string | undefined
}

/** The histories with an execution in that of its rule, newest first and within the limits of the rule. */
export function withExecution(histories: readonly CronHistory[], execution: Execution, now: EpochMs): CronHistory[] {
  const { rule, at, failure } = execution
  const times = { scheduleTime: formatTime(at), executionTime: formatTime(now) }
  return histories.map((history) => {
    if (history.ruleName !== rule.name) return history
    if (failure !== undefined) {
      const failed = [{ ...times, message: failure }, ...(history.failedExecutions ?? [])]
      return { ...history, failedExecutions: failed.slice(0, rule.failedHistoryLimit ?? DEFAULT_LIMIT) }
    }
    const { targetReplicas, targetMinReplicas, targetMaxReplicas } = rule
    const applied = {
      ...(targetReplicas !== undefined && { appliedReplicas: targetReplicas }),
      ...(targetMinReplicas !== undefined && { appliedMinReplicas: targetMinReplicas }),
      ...(targetMaxReplicas !== undefined && { appliedMaxReplicas: targetMaxReplicas }),
    }
    const done = [{ ...times, ...applied }, ...(history.successfulExecutions ?? [])]
    return { ...history, successfulExecutions: done.slice(0, rule.successfulHistoryLimit ?? DEFAULT_LIMIT) }
  })
}
