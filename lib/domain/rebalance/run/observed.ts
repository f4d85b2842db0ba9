/** Evaluates what members report about a distribution during the move. */
import type { AggregatedStatusItem, BindingSpec, TargetCluster } from '@/lib/kube/kinds/binding'
import { type Message, message } from '@/lib/messages/message'
import { targetClusters } from '../../propagation'
import { because, type Reason } from '../../plan'
import type { ReportedReadiness } from '../readiness'

export interface View extends ReportedReadiness {
  before: readonly TargetCluster[]
  actual: readonly TargetCluster[]
  items: readonly AggregatedStatusItem[]
}

/** Returns the held clusters that gain replicas, which the protection keeps from being applied. */
export function heldGains(view: Pick<View, 'before' | 'actual'>, held: readonly string[]): string[] {
  return gainsOf(view).flatMap(({ name }) => (held.includes(name) ? name : []))
}

/** Returns the new replicas that members have not applied; undefined if all have. */
export function unappliedGains(view: View): Reason<Message> | undefined {
  const missing = gainsOf(view).flatMap(({ name }) => {
    const item = itemOf(view, name)
    if (item?.applied) return []
    return item?.appliedMessage
      ? message('rebalance.cluster.applyFailed', { cluster: name, message: item.appliedMessage })
      : name
  })
  return missing.length > 0 ? because(message('rebalance.run.NotApplied', { clusters: missing })) : undefined
}

/**
 * Returns new replicas that are not ready, or a shortage of remaining ones; undefined if the old ones may be deleted.
 */
export function unreadyGains(view: View, floor: number): Reason<Message> | undefined {
  const short = gainsOf(view).flatMap((target) => problem(view, target) ?? [])
  if (short.length > 0) return because(message('rebalance.run.NotReady', { problems: short }))
  const staying = view.actual.reduce(
    (sum, { name, replicas = 0 }) => sum + Math.min(view.ready.get(name) ?? 0, replicas),
    0,
  )
  if (staying >= Math.min(floor, total(view.actual))) return undefined
  return because(message('rebalance.run.BudgetNotMet', { n: staying, floor }))
}

/** Returns replicas in former clusters, or surplus replicas in kept ones; undefined if there are none. */
export function oldCopies({ actual, items }: View, spec: BindingSpec): Reason<Message> | undefined {
  const expected = new Set(targetClusters(spec).map(({ name }) => name))
  const left = items.filter(({ clusterName }) => !expected.has(clusterName)).map(({ clusterName }) => clusterName)
  const wanted = new Map(actual.map(({ name, replicas = 0 }) => [name, replicas]))
  const fat = items
    .filter(({ clusterName, status }) => {
      const replicas = status?.['replicas']
      const most = wanted.get(clusterName)
      return typeof replicas === 'number' && most !== undefined && most > 0 && replicas > most
    })
    .map(({ clusterName }) => clusterName)
  const where = [...left, ...fat]
  return where.length > 0 ? because(message('rebalance.run.OldReplicas', { clusters: where })) : undefined
}

/** Returns the clusters of the distribution where the workload is not healthy; undefined if there are none. */
export function unsettled(view: View): Reason<Message> | undefined {
  const problems = view.actual.flatMap((target) => problem(view, target) ?? [])
  return problems.length > 0 ? because(message('rebalance.run.NotReady', { problems })) : undefined
}

function problem(view: View, { name: cluster, replicas = 0 }: TargetCluster): Message | undefined {
  const item = itemOf(view, cluster)
  if (!item) return message('rebalance.cluster.notReported', { cluster })
  const unhealthy =
    item.health === 'Unhealthy' ? message('rebalance.cluster.unhealthy', { cluster, health: item.health }) : undefined
  // Objects without replicas, and kinds without a health interpreter, are healthy once they are applied.
  if (replicas === 0) return unhealthy
  if (view.unknown.has(cluster) && !unhealthy) return unreported(item)
  const ready = view.ready.get(cluster) ?? 0
  return ready < replicas ? message('rebalance.cluster.notReady', { cluster, ready, replicas }) : unhealthy
}

const unreported = ({ clusterName: cluster, appliedMessage }: AggregatedStatusItem): Message =>
  appliedMessage
    ? message('rebalance.cluster.applyFailed', { cluster, message: appliedMessage })
    : message('rebalance.cluster.notReported', { cluster })

function gainsOf({ before, actual }: Pick<View, 'before' | 'actual'>): TargetCluster[] {
  const had = new Map(before.map(({ name, replicas = 0 }) => [name, replicas]))
  return actual.filter(({ name, replicas = 0 }) => !had.has(name) || replicas > had.get(name)!)
}

function itemOf({ items }: View, name: string): AggregatedStatusItem | undefined {
  return items.find(({ clusterName }) => clusterName === name)
}

function total(clusters: readonly TargetCluster[]): number {
  return clusters.reduce((sum, { replicas = 0 }) => sum + replicas, 0)
}
