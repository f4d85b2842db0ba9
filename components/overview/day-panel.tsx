'use client'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import type { ReadyHistoryView } from '@/lib/view/failover-model'
import type { Text } from '@/lib/messages'
import { read } from '../hooks/actions'
import { useNow } from '../hooks/use-now'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'
import { useWidth } from '../picture/use-width'
import { DayChart } from './day-chart'
import type { DayEvent } from './day-layout'
import { runningIncidents } from './headline'
import type { OverviewData } from './use-overview'

const REFRESH_MS = 15_000

/** Ready replicas, incidents and rebalances of the last 24 hours. */
export function DayPanel({ data }: { data: OverviewData }) {
  const text = useText()
  const heading = useId()
  const [frame, width] = useWidth<HTMLDivElement>()
  const now = useNow()
  const { data: history } = useQuery({
    queryKey: ['ready-history'],
    queryFn: ({ signal }) => read<ReadyHistoryView>('/api/v1/failovers/ready-history', signal),
    refetchInterval: REFRESH_MS,
    retry: false,
  })
  const incidents = useMemo(() => incidentsOf(text, data), [text, data])
  const rebalances = useMemo(() => rebalancesOf(text, data), [text, data])
  return (
    <section aria-labelledby={heading} className="border-t border-line px-6 py-3 max-wide:px-4" data-testid="day">
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 id={heading} className="text-section">
          {text('overview.day.title')}
        </h2>
        <span className="text-ink-2" data-incidents={incidents.length} data-rebalances={rebalances.length}>
          {text('overview.day.counts', { incidents: incidents.length, rebalances: rebalances.length })}
        </span>
        <Link href={href.failover({ show: 'history' })} className="ml-auto link" data-chrome>
          {text('overview.details')}
        </Link>
      </div>
      <div ref={frame} className="min-h-36">
        {history !== undefined && width > 0 && now > 0 && (
          <DayChart
            history={history}
            totals={data.totals}
            incidents={incidents}
            rebalances={rebalances}
            width={width}
            now={now}
          />
        )}
      </div>
      <ul className="sr-only">
        {[...incidents, ...rebalances].map((event) => (
          <li key={event.id}>
            <Link href={event.href}>{event.words}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function incidentsOf(text: Text, { failover, history }: OverviewData): DayEvent[] {
  const over = history.items
    .filter(({ kind, unhealthySince }) => kind === 'cluster' && unhealthySince !== undefined)
    .map(({ id, cluster, unhealthySince = '', endedAt }) => {
      const [from, to] = [Date.parse(unhealthySince), Date.parse(endedAt)]
      return {
        id,
        from,
        to,
        running: false,
        words: text('overview.day.incident', { cluster, span: { ms: to - from } }),
        href: href.failover({ show: 'history' }),
      }
    })
  const running = runningIncidents(failover.items).map(({ id, cluster, since }) => ({
    id,
    from: since === undefined ? Date.now() : Date.parse(since),
    running: true,
    words: text('overview.day.running', { cluster }),
    href: href.failover(),
  }))
  return [...over, ...running]
}

function rebalancesOf(text: Text, { plans, rebalancers }: OverviewData): DayEvent[] {
  const ofPlans = plans.items
    .filter(({ startedAt }) => startedAt !== undefined)
    .map(({ name, startedAt = '', finishedAt, counts, waves }) => ({
      id: `plan ${name}`,
      from: Date.parse(startedAt),
      ...(finishedAt !== undefined && { to: Date.parse(finishedAt) }),
      running: finishedAt === undefined,
      words: text('overview.day.plan', { n: counts.replicasMoved, waves: waves.length }),
      href: href.planRun(name),
    }))
  const atOnce = rebalancers.items.map(({ name, createdAt, finishTime, ids }) => ({
    id: `rebalancer ${name}`,
    from: Date.parse(createdAt),
    ...(finishTime !== undefined && { to: Date.parse(finishTime) }),
    running: finishTime === undefined,
    words: text('overview.day.rebalancer', { n: ids.length }),
    href: href.rebalancer(name),
  }))
  const since = Date.now() - 86_400_000
  return [...ofPlans, ...atOnce].filter(({ to = Infinity }) => to >= since)
}
