/** Counts the allowed disruptions of each PodDisruptionBudget. */
import {
  pod as podKind,
  podDisruptionBudget as budgetKind,
  replicaSet as replicaSetKind,
  statefulSet as statefulSetKind,
  type Pod,
  type PodDisruptionBudget,
} from '@/lib/kube/kinds'
import { findCondition } from '@/lib/kube/conditions'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import { matchesLabelSelector } from '@/lib/kube/selector'
import { formatTime } from '@/lib/std/clock'
import { type Controller, watch } from '@/server/runtime/controller'
import { GATHER_MS, type MemberContext } from '../member-context'
import { controllerOf, ownerKey } from '../ownership'
import { isReady } from '../pod-state'
import { isSameStatus } from '../same-status'
import { portion } from './rollout'

export function budgetController(member: MemberContext): Controller {
  const [pods, budgets] = [member.informers.of(podKind), member.informers.of(budgetKind)]
  return {
    name: 'budget',
    watches: [watch({ kind: budgetKind })],
    reads: [podKind, replicaSetKind, statefulSetKind],
    start: (queue) =>
      pods.onChange((change) => {
        const { metadata } = change.type === 'deleted' ? change.old : change.object
        for (const budget of budgets.listNamespace(metadata.namespace ?? '')) {
          if (guards(budget, metadata.labels)) queue.addAfter(objectKey(budget), GATHER_MS)
        }
      }),
    reconcile: (key) => reconcile(member, key),
  }
}

/** An empty selector selects all pods of the namespace, an absent one none. */
const guards = ({ spec }: PodDisruptionBudget, labels: Readonly<Record<string, string>> | undefined): boolean =>
  spec.selector !== undefined && matchesLabelSelector(spec.selector, labels)

async function reconcile(member: MemberContext, key: ObjectKey): Promise<void> {
  const budget = member.informers.of(budgetKind).get(key)
  if (!budget || budget.metadata.deletionTimestamp) return
  const { namespace, name } = budget.metadata
  const pods = member.informers
    .of(podKind)
    .listNamespace(namespace ?? '')
    .filter((pod) => guards(budget, pod.metadata.labels) && member.expectations.isActive(pod))
  const status = statusOf(member, budget, pods)
  if (isSameStatus(budget.status, status)) return
  await member.client.patch(
    budgetKind,
    { namespace, name },
    { type: 'merge', value: { status } },
    { subresource: 'status' },
  )
}

function statusOf(
  member: MemberContext,
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
): NonNullable<PodDisruptionBudget['status']> {
  const { expectedPods, desiredHealthy } = demand(member, budget, pods)
  const currentHealthy = pods.filter(isReady).length
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0
  const generation = budget.metadata.generation ?? 1
  const condition = {
    type: 'DisruptionAllowed',
    status: disruptionsAllowed > 0 ? ('True' as const) : ('False' as const),
    reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: generation,
  }
  const before = findCondition(budget.status?.conditions, condition.type)
  const lastTransitionTime =
    before?.status === condition.status ? before.lastTransitionTime : formatTime(member.clock.now())
  return {
    conditions: [{ ...condition, lastTransitionTime }],
    currentHealthy,
    desiredHealthy,
    disruptionsAllowed,
    expectedPods,
    observedGeneration: generation,
  }
}

/** A number in `minAvailable` refers to existing pods; percentages and `maxUnavailable` to desired pods. */
function demand(
  member: MemberContext,
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
): { expectedPods: number; desiredHealthy: number } {
  const { minAvailable, maxUnavailable } = spec
  if (typeof minAvailable === 'number') return { expectedPods: pods.length, desiredHealthy: minAvailable }
  const expectedPods = scaleOf(member, pods)
  const desiredHealthy =
    minAvailable === undefined
      ? Math.max(0, expectedPods - Math.ceil(portion(maxUnavailable ?? 0, expectedPods)))
      : Math.ceil(portion(minAvailable, expectedPods))
  return { expectedPods, desiredHealthy }
}

/** Desired replicas of the pods' owners. */
function scaleOf({ informers }: MemberContext, pods: readonly Pod[]): number {
  const byOwner = Map.groupBy(pods, (pod) => controllerOf(pod)?.uid ?? '')
  return [...byOwner.values()].reduce((sum, owned) => {
    const [first] = owned
    const key = first && (ownerKey(first, replicaSetKind) ?? ownerKey(first, statefulSetKind))
    const owner =
      key === undefined ? undefined : (informers.of(replicaSetKind).get(key) ?? informers.of(statefulSetKind).get(key))
    return sum + (owner?.spec.replicas ?? owned.length)
  }, 0)
}
