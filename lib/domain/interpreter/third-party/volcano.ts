/** Volcano: jobs with several tasks. */
import { fieldsIn, listIn } from '../json-fields'
import type { RulesByKind } from '../kind-key'
import type { MemberStatus } from '../member-status'
import type { Fields } from '../shape'
import { dated, withoutZeros } from './job-status'
import { componentOf } from './pod-templates'
import { everyMember, numberOr, picked, reported, sums, type ThirdPartyAggregation, type ThirdPartyRule } from './rule'

const COUNTS = ['minAvailable', 'pending', 'running', 'succeeded', 'failed', 'terminating', 'unknown', 'retryCount']
const REFLECTED = [
  ...COUNTS,
  'version',
  'runningDuration',
  'taskStatusCount',
  'controlledResources',
  'state',
  'conditions',
]
const HEALTHY_PHASES = new Set([
  'Running',
  'Completed',
  'Pending',
  'Aborting',
  'Aborted',
  'Restarting',
  'Completing',
  'Terminating',
  'Terminated',
])
const FAILED_PHASES = new Set(['Failed', 'Aborted', 'Aborting', 'Terminated', 'Terminating'])

const job: ThirdPartyRule = {
  isHealthy: ({ status }) => HEALTHY_PHASES.has(String(fieldsIn(fieldsIn(status).state).phase)),
  components: ({ spec }) =>
    listIn(fieldsIn(spec).tasks).map(({ name, minAvailable, template }, index) =>
      componentOf(String(name || `task-${index}`), numberOr(minAvailable, 1), template ?? {}),
    ),
  reflect: ({ status }) => picked(fieldsIn(status), REFLECTED),
  aggregate: (input) => (input.items.length === 1 ? input.items[0]?.status : addUp(input)),
}

function addUp({ items, old, now }: ThirdPartyAggregation): Fields {
  const statuses = reported(items)
  const end = endOf(items)
  return withoutZeros({
    ...sums(statuses, COUNTS),
    version: Math.max(0, ...statuses.map(({ version }) => numberOr(version, 0))),
    runningDuration: longest(statuses.map(({ runningDuration }) => runningDuration)),
    taskStatusCount: tasksOf(statuses),
    controlledResources: Object.fromEntries(
      statuses.flatMap(({ controlledResources }) => Object.entries(fieldsIn(controlledResources))),
    ),
    conditions: conditionsOf(statuses),
    state: end && dated(end, fieldsIn(old.state), now, ['lastTransitionTime']),
  })
}

/** Returns how the job ended: failed if it failed in any member, completed if it completed in all. */
function endOf(items: readonly MemberStatus[]): Fields | undefined {
  const phase = (item: MemberStatus): unknown => fieldsIn(item.status?.state).phase
  if (everyMember(items, (item) => phase(item) === 'Completed')) {
    // upstream: Karmada interpreter of the Volcano Job
    return { phase: 'Completed', reason: 'Completed', message: 'Job completed successfully' }
  }
  const failed = items.filter((item) => phase(item) === 'Failed' || phase(item) === 'Aborted')
  if (failed.length === 0) return undefined
  const clusters = failed.map(({ clusterName }) => clusterName).join(',')
  // upstream: the same
  return { phase: 'Failed', reason: 'VolcanoJobFailed', message: `Job failed in clusters: ${clusters}` }
}

function tasksOf(statuses: readonly Fields[]): Fields {
  const tasks = new Map<string, Map<string, number>>()
  for (const { taskStatusCount } of statuses) {
    for (const [task, count] of Object.entries(fieldsIn(taskStatusCount))) {
      const phases = tasks.get(task) ?? new Map<string, number>()
      tasks.set(task, phases)
      for (const [phase, number] of Object.entries(fieldsIn(fieldsIn(count).phase))) {
        phases.set(phase, (phases.get(phase) ?? 0) + numberOr(number, 0))
      }
    }
  }
  return Object.fromEntries([...tasks].map(([task, phases]) => [task, { phase: Object.fromEntries(phases) }]))
}

/**
 * Returns the conditions of the first member where the job failed or was terminated; otherwise the latest one of each
 * status.
 */
function conditionsOf(statuses: readonly Fields[]): Fields[] {
  const lists = statuses.map(({ conditions }) => listIn(conditions))
  const failing = lists.find((list) => list.some(({ status }) => FAILED_PHASES.has(String(status))))
  if (failing) return failing
  const latest = new Map<unknown, Fields>()
  for (const condition of lists.flat()) {
    const known = latest.get(condition.status)
    if (!known || timeOf(condition) > timeOf(known)) latest.set(condition.status, condition)
  }
  return [...latest.values()]
}

const timeOf = ({ lastTransitionTime }: Fields): string => String(lastTransitionTime ?? '')

function longest(durations: readonly unknown[]): unknown {
  return durations.reduce((longestYet, each) => (secondsOf(each) > secondsOf(longestYet) ? each : longestYet), '0s')
}

const UNIT_SECONDS = new Map([
  ['h', 3600],
  ['m', 60],
  ['s', 1],
])

/** Returns the seconds of a duration such as `1h2m3.5s`, or of a plain number. */
function secondsOf(duration: unknown): number {
  if (typeof duration !== 'string') return numberOr(duration, 0)
  const parts = [...duration.matchAll(/([\d.]+)([hms])/g)]
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_SECONDS.get(unit ?? '') ?? 0), 0)
  return seconds > 0 ? seconds : numberOr(duration, 0)
}

export const volcanoRules: RulesByKind<ThirdPartyRule> = { 'batch.volcano.sh/v1alpha1/Job': job }
