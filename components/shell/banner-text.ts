import type { Text } from '@/lib/messages'
import type { FailoverSummaryView } from '@/lib/view/failover-model'

/** Clusters that the banner names; the others are counted. */
const MAX_CLUSTERS = 3

/** Names clusters that are not ready, then counts workloads by stage; empty without failovers. */
export function bannerText(text: Text, { clustersLost, workloads, kept }: FailoverSummaryView): string {
  const counts = [
    ['tolerating', workloads.tolerating],
    ['evicting', workloads.evicting],
    ['replaced', workloads.replaced],
    ['kept', kept],
  ] as const
  return [
    ...(clustersLost.length > 0
      ? [text('failover.banner.notReady', { clusters: text.format.list(clustersLost, MAX_CLUSTERS) })]
      : []),
    ...counts.filter(([, n]) => n > 0).map(([stage, n]) => text(`failover.banner.${stage}`, { n })),
  ].join(' · ')
}
