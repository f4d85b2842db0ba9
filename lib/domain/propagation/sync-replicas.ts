/** Replicas that autoscalers of members gave a Deployment, on their way back to its template. */
import { RETAIN_REPLICAS_LABEL } from '../../kube/names'
import type { Deployment, ResourceBinding } from '../../kube/kinds'

/**
 * The number that the template is to have: what its members run together. Undefined while that is not known of all, or
 * not to be followed: members keep their replicas (label), the replicas are divided, and what the template asks for was
 * scheduled and reported.
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

/** Undefined until every cluster reports some: an autoscaler keeps at least one. */
function sumOfMembers({ spec, status }: ResourceBinding): number | undefined {
  const items = status?.aggregatedStatus ?? []
  if (items.length !== (spec.clusters ?? []).length) return undefined
  const counts = items.map((item) => Number((item.status as { replicas?: unknown } | undefined)?.replicas ?? 0))
  return counts.every((count) => count > 0) ? counts.reduce((sum, count) => sum + count, 0) : undefined
}
