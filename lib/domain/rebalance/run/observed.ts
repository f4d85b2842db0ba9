/** What members report about a distribution that is coming about. */
import type { AggregatedStatusItem, BindingSpec, TargetCluster } from '@/lib/kube/kinds/binding'
import { targetClusters } from '../../propagation'
import { because, counted, type Reason } from '../../plan'
import type { ReadyByCluster } from '../readiness'

export interface View {
  before: readonly TargetCluster[]
  actual: readonly TargetCluster[]
  items: readonly AggregatedStatusItem[]
  ready: ReadyByCluster
}

/** New copies that members have not applied; undefined when all have. */
export function unappliedGains(view: View): Reason | undefined {
  const missing = gainsOf(view).flatMap(({ name }) => {
    const item = itemOf(view, name)
    return item?.applied ? [] : [`${name}${item?.appliedMessage ? ` (${item.appliedMessage})` : ''}`]
  })
  return missing.length > 0 ? because('NotApplied', `Not applied yet in ${missing.join(', ')}.`) : undefined
}

/** New copies that are not ready, or too few of all that will remain; undefined when the old ones may go. */
export function unreadyGains(view: View, floor: number): Reason | undefined {
  const short = gainsOf(view).flatMap((target) => complaint(view, target) ?? [])
  if (short.length > 0) return because('NotReady', `${short.join('; ')}.`)
  const staying = view.actual.reduce(
    (sum, { name, replicas = 0 }) => sum + Math.min(view.ready.get(name) ?? 0, replicas),
    0,
  )
  if (staying >= Math.min(floor, total(view.actual))) return undefined
  return because('BudgetNotMet', `${counted(staying, 'replica')} would stay ready, and the budget asks for ${floor}.`)
}

/** Copies in clusters that are left, or more copies than wanted in one that is kept; undefined when all are gone. */
export function oldCopies({ actual, items }: View, spec: BindingSpec): Reason | undefined {
  const expected = new Set(targetClusters(spec).map(({ name }) => name))
  const left = items.filter(({ clusterName }) => !expected.has(clusterName)).map(({ clusterName }) => clusterName)
  const wanted = new Map(actual.map(({ name, replicas = 0 }) => [name, replicas]))
  const fat = items.filter(({ clusterName, status }) => {
    const replicas = status?.['replicas']
    const most = wanted.get(clusterName)
    return typeof replicas === 'number' && most !== undefined && most > 0 && replicas > most
  }).map(({ clusterName }) => clusterName)
  const where = [...left, ...fat]
  return where.length > 0 ? because('OldCopies', `Old copies are still in ${where.join(', ')}.`) : undefined
}

/** Clusters of the distribution that do not run it well; undefined when all do. */
export function unsettled(view: View): Reason | undefined {
  const complaints = view.actual.flatMap((target) => complaint(view, target) ?? [])
  return complaints.length > 0 ? because('NotReady', `${complaints.join('; ')}.`) : undefined
}

function complaint(view: View, { name, replicas = 0 }: TargetCluster): string | undefined {
  const item = itemOf(view, name)
  if (!item) return `${name} has not reported`
  // What has no replicas, and kinds whose health nobody can tell, are well when they are applied.
  if (replicas === 0) return item.health === 'Unhealthy' ? `${name} reports Unhealthy` : undefined
  const ready = view.ready.get(name) ?? 0
  if (ready < replicas) return `${name} has ${ready} of ${replicas} ready`
  return item.health === 'Unhealthy' ? `${name} reports Unhealthy` : undefined
}

function gainsOf({ before, actual }: View): TargetCluster[] {
  const had = new Map(before.map(({ name, replicas = 0 }) => [name, replicas]))
  return actual.filter(({ name, replicas = 0 }) => !had.has(name) || replicas > had.get(name)!)
}

function itemOf({ items }: View, name: string): AggregatedStatusItem | undefined {
  return items.find(({ clusterName }) => clusterName === name)
}

function total(clusters: readonly TargetCluster[]): number {
  return clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0)
}
