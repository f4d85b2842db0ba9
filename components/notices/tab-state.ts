/** What the icon and the title of a tab show. */
import type { Text } from '@/lib/messages'
import type { FailoverSummaryView } from '@/lib/view/failover-model'
import type { SummaryView } from '@/lib/view/live'

export type TabState = 'calm' | 'attention' | 'incident'

interface TabFacts {
  failovers: Pick<FailoverSummaryView, 'clustersLost' | 'running'> | undefined
  summary: Pick<SummaryView, 'workloads' | 'clusters'> | undefined
}

const failing = ({ summary }: TabFacts): number => (summary?.workloads.fail ?? 0) + (summary?.clusters?.fail ?? 0)

export function tabState(facts: TabFacts): TabState {
  const { failovers } = facts
  if (failovers !== undefined && failovers.clustersLost.length + failovers.running > 0) return 'incident'
  return failing(facts) > 0 ? 'attention' : 'calm'
}

/** Icons of the states; each has a different shape, because colours alone are not distinguishable for all users. */
export const ICONS: Record<TabState, string> = {
  calm: '/favicon.svg',
  attention: '/favicon-attention.svg',
  incident: '/favicon-incident.svg',
}

/** An incident comes first in any title; the number of failures only while the tab is hidden and has no other sign. */
export function tabTitle(text: Text, title: string, { facts, hidden }: { facts: TabFacts; hidden: boolean }): string {
  const n = failing(facts)
  const counted = hidden && n > 0 ? text('notices.title.failing', { n, title }) : title
  return tabState(facts) === 'incident' ? text('notices.title.incident', { title: counted }) : counted
}
