/** Aggregates statuses by summing over the members: workloads, disruption budgets, autoscalers. */
import {
  DAEMON_SET_NUMBERS,
  daemonSetReflection,
  daemonSetStatus,
  deploymentReflection,
  deploymentStatus,
  horizontalPodAutoscalerStatus,
  podDisruptionBudgetStatus,
  replicaSetReflection,
  replicaSetStatus,
  statefulSetReflection,
  statefulSetStatus,
} from './shapes'
import type { Shape } from './shape'
import { type AggregationInput, collected, type Collected, type Fields, replacedStatus, total } from './member-status'

/** How the status of one workload kind is summed. */
interface Sum {
  /** Shape of a member's status. */
  reflection: Shape
  /** Shape of the template's status. */
  status: Shape
  fields: readonly string[]
  /** Reports whether a member has processed the template's current generation. */
  hasObserved: (status: Fields, templateGeneration: number) => boolean
}

const number = (value: unknown): number => Number(value ?? 0)

/** The member has processed the newest version of its object, which was made from the current template. */
const observedTemplate: Sum['hasObserved'] = (status, templateGeneration) =>
  number(status.observedGeneration) >= number(status.generation)
  && number(status.resourceTemplateGeneration) >= templateGeneration

/**
 * Compares the template generation reported by the member with the member's own generation: always false in practice,
 * as upstream.
 */
const observedOwnGeneration: Sum['hasObserved'] = (status) =>
  number(status.observedGeneration) >= number(status.generation)
  && number(status.resourceTemplateGeneration) >= number(status.generation)

const DEPLOYMENT: Sum = {
  reflection: deploymentReflection,
  status: deploymentStatus,
  fields: ['replicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas', 'unavailableReplicas'],
  hasObserved: observedTemplate,
}
const REPLICA_SET: Sum = {
  reflection: replicaSetReflection,
  status: replicaSetStatus,
  fields: ['replicas', 'readyReplicas', 'availableReplicas'],
  hasObserved: observedTemplate,
}
const STATEFUL_SET: Sum = {
  reflection: statefulSetReflection,
  status: statefulSetStatus,
  fields: ['availableReplicas', 'currentReplicas', 'readyReplicas', 'replicas', 'updatedReplicas'],
  hasObserved: observedTemplate,
}
const DAEMON_SET: Sum = {
  reflection: daemonSetReflection,
  status: daemonSetStatus,
  fields: DAEMON_SET_NUMBERS,
  hasObserved: observedTemplate,
}

export const aggregateDeploymentStatus = (input: AggregationInput) => aggregateSum(input, DEPLOYMENT)
export const aggregateReplicaSetStatus = (input: AggregationInput) => aggregateSum(input, REPLICA_SET)
export const aggregateStatefulSetStatus = (input: AggregationInput) =>
  aggregateSum(input, input.likeUpstream ? { ...STATEFUL_SET, hasObserved: observedOwnGeneration } : STATEFUL_SET)
export const aggregateDaemonSetStatus = (input: AggregationInput) => aggregateSum(input, DAEMON_SET)

/**
 * Sums the numbers, and advances observedGeneration once every item, including those without status, has observed the
 * template. Other fields stay unchanged.
 */
function aggregateSum({ template, items }: AggregationInput, sum: Sum): Fields | undefined {
  const statuses = collected(items, sum.reflection)
  const generation = template.metadata.generation ?? 0
  const observers = statuses.filter(({ status }) => sum.hasObserved(status, generation))
  const old = (template.status ?? {}) as Fields
  const observedGeneration = observers.length === items.length ? generation : old.observedGeneration
  return replacedStatus(template, sum.status, { ...old, ...totals(statuses, sum.fields), observedGeneration })
}

function totals(statuses: readonly Collected[], fields: readonly string[]): Fields {
  return Object.fromEntries(fields.map((field) => [field, total(statuses, field)]))
}

/** Sums the numbers; disrupted pods are prefixed with their cluster. */
export function aggregatePodDisruptionBudgetStatus({ template, items }: AggregationInput): Fields | undefined {
  const statuses = collected(items, podDisruptionBudgetStatus)
  const disruptedPods = Object.fromEntries(
    statuses.flatMap(({ clusterName, status }) =>
      Object.entries((status.disruptedPods ?? {}) as Fields).map(([pod, since]) => [`${clusterName}/${pod}`, since]),
    ),
  )
  const sums = totals(statuses, ['disruptionsAllowed', 'expectedPods', 'desiredHealthy', 'currentHealthy'])
  return replacedStatus(template, podDisruptionBudgetStatus, { ...sums, disruptedPods })
}

export function aggregateHorizontalPodAutoscalerStatus({ template, items }: AggregationInput): Fields | undefined {
  const statuses = collected(items, horizontalPodAutoscalerStatus)
  return replacedStatus(
    template,
    horizontalPodAutoscalerStatus,
    totals(statuses, ['currentReplicas', 'desiredReplicas']),
  )
}
