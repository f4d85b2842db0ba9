/** Aggregates the status of a template from the status of its member objects. */
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

/** Reports whether templates of the kind get a status; that of other kinds is never written. */
export function hasAggregationRule(object: Pick<UnknownObject, 'apiVersion' | 'kind'>): boolean {
  return (ruleFor(RULES, object) ?? thirdPartyRule(object, 'aggregate')) !== undefined
}

/**
 * Returns the template's new status, or the identical `template.status` object if nothing changed, so callers compare
 * with `===`. `items` is absent if nothing was ever collected. `now` (RFC 3339) is the time of new conditions. Throws
 * an InterpretError if a status has a field of a wrong type.
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
