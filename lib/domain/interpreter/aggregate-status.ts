/** The status of a template made from what its member objects report. */
import type { UnknownObject } from '../../kube/object'
import { aggregateIngressStatus, aggregateServiceStatus } from './aggregate-load-balancers'
import { aggregateCronJobStatus, aggregateJobStatus } from './aggregate-jobs'
import { aggregatePodStatus } from './aggregate-pods'
import { aggregatePersistentVolumeClaimStatus, aggregatePersistentVolumeStatus } from './aggregate-volumes'
import {
  aggregateDaemonSetStatus,
  aggregateDeploymentStatus,
  aggregateHorizontalPodAutoscalerStatus,
  aggregatePodDisruptionBudgetStatus,
  aggregateReplicaSetStatus,
  aggregateStatefulSetStatus,
} from './aggregate-workloads'
import { ruleFor, type RulesByKind } from './kind-key'
import { aggregateKruiseStatus } from './kruise'
import type { AggregationInput, Fields, MemberStatus } from './member-status'
import type { InterpreterOptions } from './options'

const RULES: RulesByKind<(input: AggregationInput) => Fields | undefined> = {
  'apps/v1/Deployment': aggregateDeploymentStatus,
  'apps/v1/ReplicaSet': aggregateReplicaSetStatus,
  'apps/v1/StatefulSet': aggregateStatefulSetStatus,
  'apps/v1/DaemonSet': aggregateDaemonSetStatus,
  'batch/v1/Job': aggregateJobStatus,
  'batch/v1/CronJob': aggregateCronJobStatus,
  'v1/Service': aggregateServiceStatus,
  'networking.k8s.io/v1/Ingress': aggregateIngressStatus,
  'v1/Pod': aggregatePodStatus,
  'v1/PersistentVolume': aggregatePersistentVolumeStatus,
  'v1/PersistentVolumeClaim': aggregatePersistentVolumeClaimStatus,
  'policy/v1/PodDisruptionBudget': aggregatePodDisruptionBudgetStatus,
  'autoscaling/v2/HorizontalPodAutoscaler': aggregateHorizontalPodAutoscalerStatus,
  'apps.kruise.io/v1alpha1/CloneSet': ({ template, items }) => aggregateKruiseStatus(template, items),
  'apps.kruise.io/v1beta1/StatefulSet': ({ template, items }) => aggregateKruiseStatus(template, items),
}

/** True when templates of the kind get a status; for all others the template's status is never written. */
export function hasAggregationRule(object: Pick<UnknownObject, 'apiVersion' | 'kind'>): boolean {
  return ruleFor(RULES, object) !== undefined
}

/**
 * The template's new status. Gives back the very `template.status` when nothing changed, so `===` tells whether to
 * write. `now` (RFC 3339) becomes the time of new conditions. Throws an InterpretError when a member's status or the
 * template's has a wrong type.
 */
export function aggregateStatus(
  template: UnknownObject,
  items: readonly MemberStatus[],
  { now, ...options }: { now: string } & InterpreterOptions,
): unknown {
  const aggregated = ruleFor(RULES, template)?.({ template, items, now, ...options })
  return aggregated ?? template.status
}
