/** What changed between the plan that the user saw and the one that the server made when it was applied. */
import { type Message, message } from '@/lib/messages/message'
import { replicasIn } from '@/lib/view/distribution'
import type { ReplicasInCluster } from '@/lib/view/model'
import type { PlanTargetView, RebalancePlanView } from '@/lib/view/rebalance-model'
import { nameOf } from '@/lib/view/workload-id'
import type { Sorts } from '../hooks/sorting'

/** One message for each difference in what happens to a target, in the order of the new plan. */
export function planChanges(seen: RebalancePlanView, now: RebalancePlanView): Message[] {
  const before = new Map(seen.targets.map((target) => [target.id, target]))
  const after = new Set(now.targets.map((target) => target.id))
  const changed = now.targets.flatMap((target) => changeOf(before.get(target.id), target))
  const dropped = seen.targets.filter((target) => !after.has(target.id))
  return [...changed, ...dropped.map(({ ref }) => message('plan.change.dropped', { workload: nameOf(ref) }))]
}

function changeOf(seen: PlanTargetView | undefined, now: PlanTargetView): Message[] {
  const workload = nameOf(now.ref)
  if (seen === undefined) return [message('plan.change.added', { workload })]
  const changes: Message[] = []
  if (!isSamePlaces(seen.before, now.before)) {
    changes.push(
      message('plan.change.before', { workload, now: replicasIn(now.before), seen: replicasIn(seen.before) }),
    )
  }
  if (!isSamePlaces(seen.after, now.after)) {
    changes.push(message('plan.change.after', { workload, now: replicasIn(now.after), seen: replicasIn(seen.after) }))
  }
  if (changes.length > 0 || seen.verdict === now.verdict) return changes
  return [message(`plan.change.${now.verdict}`, { workload, reason: now.reason })]
}

/** Reports whether both name the same clusters with the same replicas, in the same order. */
export function isSamePlaces(one: readonly ReplicasInCluster[], other: readonly ReplicasInCluster[]): boolean {
  return (
    one.length === other.length
    && one.every(({ cluster, replicas }, at) => other[at]?.cluster === cluster && other[at].replicas === replicas)
  )
}

/** One cluster of a target: now, after, and the difference. */
export interface PlanLine {
  cluster: string
  before: number
  after: number
  delta: number
}

/** Reports whether an object has replicas; without them, only the clusters are shown. */
export function hasReplicas({ before, after }: Pick<PlanTargetView, 'before' | 'after'>): boolean {
  return [...before, ...after].some((place) => place.replicas > 0)
}

/** Clusters of a target, those that lose or gain first, by name within. */
export function planLines({ before, after }: Pick<PlanTargetView, 'before' | 'after'>): PlanLine[] {
  const count = (places: PlanTargetView['before'], cluster: string) =>
    places.find((place) => place.cluster === cluster)?.replicas ?? 0
  const clusters = [...new Set([...before, ...after].map((place) => place.cluster))].sort()
  const lines = clusters.map((cluster) => ({ cluster, before: count(before, cluster), after: count(after, cluster) }))
  return lines
    .map((line) => ({ ...line, delta: line.after - line.before }))
    .sort((a, b) => Number(a.delta === 0) - Number(b.delta === 0))
}

/** Replicas in all clusters. */
export const replicasOf = (places: PlanTargetView['before']): number =>
  places.reduce((sum, { replicas }) => sum + replicas, 0)

const VERDICT_ORDER: readonly PlanTargetView['verdict'][] = ['moves', 'refused', 'stays']

/** Sort keys of a plan's columns; `verdict` is the default order, with moving workloads first. */
export const PLAN_SORTS: Sorts<PlanTargetView> = {
  name: ({ ref }) => nameOf(ref),
  now: (target) => (hasReplicas(target) ? replicasOf(target.before) : undefined),
  after: (target) => (hasReplicas(target) ? replicasOf(target.after) : undefined),
  moved: ({ moved }) => moved,
  ready: ({ verdict, ready }) => (verdict === 'moves' ? Math.min(ready.now, ready.lowest) : ready.now),
  verdict: ({ verdict }) => VERDICT_ORDER.indexOf(verdict),
}
