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
import type { AggregationInput, Fields, MemberStatus } from './member-status'
import type { InterpreterOptions } from './options'
import { aggregateThirdParty, thirdPartyRule } from './third-party'

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
}

/** True when templates of the kind get a status; for all others the template's status is never written. */
export function hasAggregationRule(object: Pick<UnknownObject, 'apiVersion' | 'kind'>): boolean {
  return (ruleFor(RULES, object) ?? thirdPartyRule(object, 'aggregate')) !== undefined
}

/**
 * The template's new status. Gives back the very `template.status` when nothing changed, so `===` tells whether to
 * write. `items` are absent when nothing was ever collected. `now` (RFC 3339) becomes the time of new conditions. Throws
 * an InterpretError when a member's status or the template's has a wrong type.
 */
export function aggregateStatus(
  template: UnknownObject,
  items: readonly MemberStatus[] | undefined,
  { now, ...options }: { now: string } & InterpreterOptions,
): unknown {
  const rule = ruleFor(RULES, template)
  if (!rule) return aggregateThirdParty(template, items, { now, ...options })
  const nothingCollected = items === undefined
  return rule({ template, items: items ?? [], nothingCollected, now, ...options }) ?? template.status
}
