/** Kubeflow: Notebooks and training jobs. */
import { ownField } from '../../../std/fields'
import type { UnknownObject } from '../../../kube/object'
import { fieldsIn, listIn } from '../json-fields'
import type { RulesByKind } from '../kind-key'
import type { MemberStatus } from '../member-status'
import { mergedNeeds, podNeeds } from '../needs'
import type { Fields } from '../shape'
import { dated, withoutEmpty, withoutZeros } from './job-status'
import { componentOf, replicasOf, requiredPodSpec } from './pod-templates'
import {
  blockIn,
  earliestOf,
  everyMember,
  hasTrueCondition,
  isText,
  latestOf,
  numberOr,
  picked,
  reported,
  sums,
  sumOf,
  type ThirdPartyAggregation,
  type ThirdPartyRule,
} from './rule'

const COUNTS = ['active', 'failed', 'succeeded']
const PROBED = ['lastProbeTime', 'lastTransitionTime']
const UPDATED = ['lastUpdateTime', 'lastTransitionTime']

const conditionsIn = (status: unknown): Fields[] => listIn(fieldsIn(status).conditions)
const namesOf = (items: readonly MemberStatus[]): string => items.map(({ clusterName }) => clusterName).join(', ')

/** The replica types of a training job, and the field of its spec that lists them. */
interface Training {
  field: string
  types: readonly string[]
}

const PYTORCH: Training = { field: 'pytorchReplicaSpecs', types: ['Master', 'Worker'] }
const TENSORFLOW: Training = { field: 'tfReplicaSpecs', types: ['PS', 'Worker', 'Chief', 'Master', 'Evaluator'] }

function trainingRule({ field, types }: Training): ThirdPartyRule {
  const specsOf = (object: UnknownObject): [string, Fields][] => {
    const specs = blockIn(object, 'spec', field)
    return types.flatMap((type): [string, Fields][] => {
      const spec = ownField(specs, type)
      return spec === undefined ? [] : [[type, fieldsIn(spec)]]
    })
  }
  return {
    components: (object) =>
      specsOf(object).map(([type, { replicas, template }]) =>
        componentOf(type.toLowerCase(), numberOr(replicas, 1), template),
      ),
    isHealthy: ({ status }) =>
      fieldsIn(status).conditions !== undefined && !hasTrueCondition(conditionsIn(status), 'Failed'),
    needs: (object) =>
      mergedNeeds(specsOf(object).map(([, { template }]) => podNeeds(fieldsIn(fieldsIn(template).spec)))),
    aggregateNone: (_, old) => ({
      ...old,
      startTime: undefined,
      completionTime: undefined,
      replicaStatuses: undefined,
      conditions: undefined,
    }),
  }
}

/** Aggregates numbers and times of a training job. */
function trainingStatus({ old, items }: ThirdPartyAggregation, { types }: Training): Fields {
  const statuses = reported(items)
  return {
    ...old,
    startTime: earliestOf(statuses, 'startTime'),
    lastReconcileTime: latestOf(statuses, 'lastReconcileTime'),
    replicaStatuses: replicaStatuses(statuses, types),
  }
}

function replicaStatuses(statuses: readonly Fields[], types: readonly string[]): Fields {
  const blocks = statuses.map((status) => fieldsIn(status.replicaStatuses))
  const ofType = (type: string): Fields[] => blocks.map((block) => fieldsIn(ownField(block, type)))
  return Object.fromEntries(types.map((type) => [type, sums(ofType(type), COUNTS)]))
}

const pyTorchJob: ThirdPartyRule = {
  ...trainingRule(PYTORCH),
  aggregate: (input) => {
    const { items, old } = input
    const statuses = reported(items)
    const [start, end] = [earliestOf(statuses, 'startTime'), latestOf(statuses, 'completionTime')]
    const conditions = pyTorchConditions(items, { start, end })
    const isDone = conditions.some(({ type }) => type === 'Succeeded')
    const completionTime = isDone ? end : old.completionTime
    return withoutZeros({ ...trainingStatus(input, PYTORCH), conditions, completionTime })
  },
}

/** Failed in any member takes precedence over succeeded; both end Running. */
function pyTorchConditions(items: readonly MemberStatus[], times: { start: unknown; end: unknown }): Fields[] {
  const hasTrue = (type: string) => (item: MemberStatus) => hasTrueCondition(conditionsIn(item.status), type)
  const failed = items.filter(hasTrue('Failed'))
  const hasSucceeded = everyMember(items, (item) => !hasTrue('Failed')(item) && hasTrue('Succeeded')(item))
  const running = items.flatMap(({ status }) => conditionsIn(status)).findLast(({ type }) => type === 'Running')
  const at = (time: unknown): Fields => Object.fromEntries(UPDATED.map((name) => [name, time]))
  const one = (type: string, message: string): Fields => ({
    type,
    status: 'True',
    reason: `PyTorchJob${type}`,
    message,
  })
  const isOver = failed.length > 0 || hasSucceeded
  return [
    // upstream: Karmada interpreter of PyTorchJob
    ...(items.some(hasTrue('Created')) ? [{ ...one('Created', 'PyTorchJob is created.'), ...at(times.start) }] : []),
    ...(running
      ? // upstream: the same
        [
          {
            ...one('Running', 'PyTorchJob is running.'),
            ...picked(running, UPDATED),
            ...(isOver && { status: 'False' }),
          },
        ]
      : []),
    ...(failed.length > 0
      ? // upstream: the same
        [{ ...one('Failed', `PyTorchJob executed failed in member clusters: ${namesOf(failed)}`), ...at(times.end) }]
      : []),
    // upstream: the same
    ...(hasSucceeded ? [{ ...one('Succeeded', 'PyTorchJob is successfully completed.'), ...at(times.end) }] : []),
  ]
}

const tfJob: ThirdPartyRule = {
  ...trainingRule(TENSORFLOW),
  aggregate: (input) => {
    const { items, old, now } = input
    const failed = items.filter(({ status }) => endOf(status) === 'Failed')
    const isDone = everyMember(items, ({ status }) => endOf(status) === 'Succeeded')
    const next: Fields[] = [
      ...(failed.length > 0
        ? // upstream: Karmada interpreter of TFJob
          [trueCondition('Failed', 'TFJobFailed', `TFJob executed failed in member clusters: ${namesOf(failed)}`)]
        : []),
      // upstream: the same
      ...(isDone ? [trueCondition('Succeeded', 'Completed', 'TFJob completed successfully')] : []),
    ]
    const completionTime = isDone ? latestOf(reported(items), 'completionTime') : old.completionTime
    const conditions = datedAll(next, old, now)
    return withoutZeros({ ...trainingStatus(input, TENSORFLOW), conditions, completionTime })
  },
}

const trueCondition = (type: string, reason: string, message: string): Fields => ({
  type,
  status: 'True',
  reason,
  message,
})

function datedAll(next: readonly Fields[], old: Fields, now: string): Fields[] {
  const before = conditionsIn(old)
  return next.map((each) =>
    dated(
      each,
      before.find(({ type }) => type === each.type),
      now,
      PROBED,
    ),
  )
}

/** Returns how a job ended, by the last true finishing condition. */
function endOf(status: unknown): unknown {
  return conditionsIn(status).findLast(
    ({ type, status: value }) => (type === 'Succeeded' || type === 'Failed') && value === 'True',
  )?.type
}

const mpiJob: ThirdPartyRule = {
  isHealthy: ({ status }) => {
    const conditions = conditionsIn(status)
    return conditions.length > 0 && !hasTrueCondition(conditions, 'Failed')
  },
  components: (object) =>
    Object.entries(blockIn(object, 'spec', 'mpiReplicaSpecs'))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, spec]) => ({ type, ...fieldsIn(spec) }) as Fields & { type: string })
      .filter(({ template }) => template !== undefined)
      .map(({ type, replicas, template }) =>
        componentOf(type, numberOr(replicas, type.toLowerCase() === 'worker' ? 0 : 1), template),
      ),
  reflect: ({ status }) => {
    const shown = picked(fieldsIn(status), [
      'replicaStatuses',
      'conditions',
      'startTime',
      'completionTime',
      'lastReconcileTime',
    ])
    const entries = Object.entries(fieldsIn(shown.replicaStatuses))
    const named = entries.map(([type, counts]) => [type, picked(fieldsIn(counts), [...COUNTS, 'selector'])])
    return { ...shown, replicaStatuses: Object.fromEntries(named) }
  },
  aggregate: ({ items }) => {
    if (items.length === 1) return items[0]?.status
    const statuses = reported(items)
    const types = new Set(statuses.flatMap((status) => Object.keys(fieldsIn(status.replicaStatuses))))
    return withoutEmpty({
      replicaStatuses: replicaStatuses(statuses, [...types]),
      conditions: latestConditions(statuses),
      startTime: earliestOf(statuses, 'startTime'),
      completionTime: latestOf(statuses, 'completionTime'),
      lastReconcileTime: latestOf(statuses, 'lastReconcileTime'),
    })
  },
}

/** Returns the most recently written condition of each type. */
function latestConditions(statuses: readonly Fields[]): Fields[] {
  const latest = new Map<unknown, Fields>()
  const timeOf = ({ lastUpdateTime, lastTransitionTime }: Fields): unknown => lastUpdateTime ?? lastTransitionTime
  for (const condition of statuses.flatMap(conditionsIn)) {
    const [time, known] = [timeOf(condition), latest.get(condition.type)]
    if (isText(time) && (!known || time > String(timeOf(known)))) latest.set(condition.type, condition)
  }
  return [...latest.values()]
}

const CREATING = 'ContainerCreating'
const FAILURES = new Set(['Error', 'OOMKilled', 'ContainerCannotRun'])

const notebook: ThirdPartyRule = {
  replicas: (object) => replicasOf(1, requiredPodSpec(object)),
  isHealthy: ({ status }) => {
    const { running, waiting, terminated } = blockIn(fieldsIn(status), 'containerState')
    if (running !== undefined) return true
    if (waiting !== undefined) return fieldsIn(waiting).reason === CREATING
    const { reason, exitCode = 0 } = fieldsIn(terminated)
    return terminated !== undefined && !FAILURES.has(String(reason)) && exitCode === 0
  },
  reflect: ({ status }) => {
    if (status === undefined) return {}
    const { readyReplicas = 0, containerState, conditions } = fieldsIn(status)
    return { readyReplicas, containerState, conditions: Array.isArray(conditions) ? conditions : undefined }
  },
  aggregate: ({ items, old, now }) => {
    if (items.length === 1) return items[0]?.status
    const failed = items.filter(({ status }) => status && !isRunning(status))
    const isReady = everyMember(items, ({ status }) => status !== undefined && isRunning(status))
    const next: Fields[] = [
      ...(failed.length > 0
        ? // upstream: Karmada interpreter of Notebook
          [trueCondition('Failed', 'NotebookFailed', `Notebook executed failed in member clusters: ${namesOf(failed)}`)]
        : []),
      // upstream: the same
      ...(isReady ? [trueCondition('Ready', 'Ready', 'All notebooks are ready')] : []),
    ]
    return {
      readyReplicas: sumOf(reported(items), 'readyReplicas'),
      containerState: stateOf(items, failed),
      conditions: datedAll(next, old, now),
    }
  },
}

const stateIn = (status: Fields): Fields => fieldsIn(status.containerState)

/** Reports whether the container runs, that is, neither waits nor terminated. */
function isRunning(status: Fields): boolean {
  const { running, waiting, terminated } = stateIn(status)
  return running !== undefined && waiting === undefined && terminated === undefined
}

/** Returns the state of the last failed member, otherwise of the one that started last. */
function stateOf(items: readonly MemberStatus[], failed: readonly MemberStatus[]): Fields | undefined {
  const last = failed.at(-1)?.status
  if (last) return Object.keys(stateIn(last)).length > 0 ? stateIn(last) : { waiting: { reason: 'Unschedulable' } }
  const running = reported(items).map((status) => fieldsIn(stateIn(status).running))
  return running.length > 0 ? { running: { startedAt: latestOf(running, 'startedAt') } } : undefined
}

export const kubeflowRules: RulesByKind<ThirdPartyRule> = {
  'kubeflow.org/v1/PyTorchJob': pyTorchJob,
  'kubeflow.org/v1/TFJob': tfJob,
  'kubeflow.org/v2beta1/MPIJob': mpiJob,
  'kubeflow.org/v1/Notebook': notebook,
}
