/** Synchronizes replicas back to a Deployment template that autoscalers of members changed. */
import { RETAIN_REPLICAS_LABEL } from '../../kube/names'
import type { Deployment, ResourceBinding } from '../../kube/kinds'

/**
 * Returns the new number for the template: the sum over its members. Undefined if it is unknown or must not be
 * followed. Following requires the retain label, a Divided placement, and that the current number was scheduled and
 * reported.
 */
export function replicasToFollow(deployment: Deployment, binding: ResourceBinding): number | undefined {
  const { metadata, spec, status } = deployment
  if (metadata.labels?.[RETAIN_REPLICAS_LABEL] !== 'true') return undefined
  if (binding.spec.placement?.replicaScheduling?.replicaSchedulingType !== 'Divided') return undefined
  const running = status?.replicas ?? 0
  if (spec?.replicas === undefined || spec.replicas === running) return undefined
  const isScheduled =
    spec.replicas === (binding.spec.replicas ?? 0)
    && binding.metadata.generation === binding.status?.schedulerObservedGeneration
  return isScheduled && sumOfMembers(binding) === running ? running : undefined
}

/** Undefined until every cluster reports replicas, because an autoscaler keeps at least one. */
function sumOfMembers({ spec, status }: ResourceBinding): number | undefined {
  const items = status?.aggregatedStatus ?? []
  if (items.length !== (spec.clusters ?? []).length) return undefined
  const counts = items.map((item) => Number((item.status as { replicas?: unknown } | undefined)?.replicas ?? 0))
  return counts.every((count) => count > 0) ? counts.reduce((sum, count) => sum + count, 0) : undefined
}
