/** What changed between the plan that the user saw and the one that the server made when it was applied. */
import { formatReplicas } from '@/lib/format'
import type { PlanTargetView, RebalancePlanView } from '@/lib/view/rebalance-model'
import { nameOf } from '../hooks/filter'
import type { Sorts } from '../hooks/sorting'

/** One sentence for each target whose outcome is another one now, in the order of the new plan. */
export function planChanges(seen: RebalancePlanView, now: RebalancePlanView): string[] {
  const before = new Map(seen.targets.map((target) => [target.id, target]))
  const after = new Set(now.targets.map((target) => target.id))
  const changed = now.targets.flatMap((target) => changeOf(before.get(target.id), target))
  const dropped = seen.targets.filter((target) => !after.has(target.id))
  return [...changed, ...dropped.map((target) => `${nameOf(target.ref)} is not in the plan any more.`)]
}

function changeOf(seen: PlanTargetView | undefined, now: PlanTargetView): string[] {
  const name = nameOf(now.ref)
  if (seen === undefined) return [`${name} is new in the plan.`]
  const placesSeen = formatReplicas(seen.before)
  const places = formatReplicas(now.before)
  const outcome = formatReplicas(now.after)
  const parts: string[] = []
  if (places !== placesSeen) parts.push(`runs on ${places} now, not on ${placesSeen}`)
  if (outcome !== formatReplicas(seen.after))
    parts.push(`would come to ${outcome}, not to ${formatReplicas(seen.after)}`)
  if (parts.length === 0 && seen.verdict !== now.verdict) parts.push(`${VERDICT_SENTENCE[now.verdict]}: ${now.reason}`)
  return parts.length === 0 ? [] : [`${name} ${parts.join(' and ')}.`]
}

const VERDICT_SENTENCE: Record<PlanTargetView['verdict'], string> = {
  moves: 'moves after all', stays: 'stays where it is', refused: 'cannot be rebalanced any more',
}

/** One cluster of a target: now, after, and the difference. */
export interface PlanLine {
  cluster: string
  before: number
  after: number
  delta: number
}

/** False for objects without replicas: of them only the clusters say something. */
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

/** What the columns of a plan sort by; `verdict` is their usual order: what moves comes first. */
export const PLAN_SORTS: Sorts<PlanTargetView> = {
  name: ({ ref }) => nameOf(ref),
  now: (target) => (hasReplicas(target) ? replicasOf(target.before) : undefined),
  after: (target) => (hasReplicas(target) ? replicasOf(target.after) : undefined),
  moved: ({ moved }) => moved,
  ready: ({ verdict, ready }) => (verdict === 'moves' ? Math.min(ready.now, ready.lowest) : ready.now),
  verdict: ({ verdict }) => VERDICT_ORDER.indexOf(verdict),
}
