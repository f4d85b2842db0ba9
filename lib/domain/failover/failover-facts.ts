/** Records per cluster what application failover needs, in the status of a binding. */
import type { AggregatedStatusItem } from '../../kube/kinds/binding'
import { formatTime, type EpochMs } from '../../std/clock'

/**
 * Returns the items with `creationTimestamp` (when the cluster first reported) and `settled` (it was healthy once),
 * carried over from the previous items. Both start again after the workload left the cluster.
 */
export function withFailoverFacts(
  items: readonly AggregatedStatusItem[],
  before: readonly AggregatedStatusItem[] | undefined,
  now: EpochMs,
): AggregatedStatusItem[] {
  return items.map((item) => {
    const old = before?.find(({ clusterName }) => clusterName === item.clusterName)
    const reported = old?.creationTimestamp ?? (item.applied ? formatTime(now) : undefined)
    const settled = old?.settled === true || item.health === 'Healthy'
    return { ...item, ...(reported !== undefined && { creationTimestamp: reported }), ...(settled && { settled }) }
  })
}
