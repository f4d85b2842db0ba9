/**
 * Derives conditions of a Deployment template from the aggregated status. Upstream writes none, so that `kubectl wait
 * --for=condition=Available` never ends on a Karmada control plane.
 */
import type { Fields } from './member-status'

interface DeploymentCondition {
  type: string
  status: string
  reason: string
  message: string
  lastTransitionTime?: string
  lastUpdateTime?: string
}

interface DeploymentTemplate {
  metadata: { name: string; generation?: number }
  spec?: { replicas?: number }
}

const AVAILABLE: DeploymentCondition = {
  type: 'Available',
  status: 'True',
  reason: 'MinimumReplicasAvailable',
  // upstream: kubernetes/pkg/controller/deployment/sync.go
  message: 'Deployment has minimum availability.',
}
const UNAVAILABLE: DeploymentCondition = {
  type: 'Available',
  status: 'False',
  reason: 'MinimumReplicasUnavailable',
  // upstream: kubernetes/pkg/controller/deployment/sync.go
  message: 'Deployment does not have minimum availability.',
}
const complete = (name: string): DeploymentCondition => ({
  type: 'Progressing',
  status: 'True',
  reason: 'NewReplicaSetAvailable',
  // upstream: kubernetes/pkg/controller/deployment/progress.go
  message: `Deployment "${name}" has successfully progressed.`,
})
const progressing = (name: string): DeploymentCondition => ({
  type: 'Progressing',
  status: 'True',
  reason: 'ReplicaSetUpdated',
  // upstream: kubernetes/pkg/controller/deployment/progress.go
  message: `Deployment "${name}" is progressing.`,
})

/**
 * Returns the aggregated status with `Available` (every desired replica is available) and `Progressing`, with the
 * reasons of the Deployment controller. `now` is RFC 3339. A status without any report stays unchanged.
 */
export function withDeploymentConditions(template: object, status: Fields, now: string): Fields {
  const { metadata, spec } = template as DeploymentTemplate
  if (status.observedGeneration === undefined && status.replicas === undefined) return status
  const wanted = spec?.replicas ?? 1
  const number = (field: string): number => Number(status[field] ?? 0)
  const observed = number('observedGeneration') >= (metadata.generation ?? 0)
  const isAvailable = observed && number('availableReplicas') >= wanted
  const isComplete = isAvailable && number('updatedReplicas') >= wanted && number('replicas') === wanted
  const before = (status.conditions ?? []) as DeploymentCondition[]
  const next = [isAvailable ? AVAILABLE : UNAVAILABLE, (isComplete ? complete : progressing)(metadata.name)]
  const own = new Set(next.map(({ type }) => type))
  const others = before.filter(({ type }) => !own.has(type))
  return { ...status, conditions: [...others, ...next.map((each) => dated(each, before, now))] }
}

function dated(
  next: DeploymentCondition,
  conditions: readonly DeploymentCondition[],
  now: string,
): DeploymentCondition {
  const before = conditions.find(({ type }) => type === next.type)
  const same = before?.status === next.status && before.reason === next.reason && before.message === next.message
  return {
    ...next,
    lastTransitionTime: (before?.status === next.status && before.lastTransitionTime) || now,
    lastUpdateTime: (same && before.lastUpdateTime) || now,
  }
}
