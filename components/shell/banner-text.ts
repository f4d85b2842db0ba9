import { formatNumberOf, joinWords } from '@/lib/format'
import type { FailoverSummaryView } from '@/lib/view/failover-model'

/** What goes on, in the order of the stages. */
export function bannerText({ clustersLost, workloads, kept }: FailoverSummaryView): string {
  const { tolerating, evicting, replaced } = workloads
  const parts = [
    clustersLost.length > 0 && `${joinWords(clustersLost, 3)} not ready`,
    tolerating > 0 && `${formatNumberOf(tolerating, 'workload')} waiting for the toleration to end`,
    evicting > 0 && `${formatNumberOf(evicting, 'workload')} moving`,
    replaced > 0 && `${formatNumberOf(replaced, 'workload')} about to be cleaned up`,
    kept > 0 && `${formatNumberOf(kept, 'copy', 'copies')} kept by hand`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `${parts.join(' · ')}.`
}
