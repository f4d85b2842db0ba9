'use client'
import { clsx } from 'clsx'
import { formatCount } from '@/lib/format'
import type { FailoverView, FailoverSummaryView } from '@/lib/view/failover-model'
import { useUrlState } from '../hooks/use-url-state'
import { Link } from '../ui/link'
import { STAGES } from './failover-words'

export type StageChoice = FailoverView['stage'] | 'kept'

/** The stage that an address names, if it is one. */
export function parseStage(value: string | undefined): StageChoice | undefined {
  return value === 'kept' ? value : STAGES.find((stage) => stage === value)
}

interface FailoverCountsProps {
  summary: FailoverSummaryView
  selected: StageChoice | undefined
  history?: boolean
}

/** How much there is of what. Every count is a link to what it counts; the chosen one links back to all. */
export function FailoverCounts({ summary, selected, history = false }: FailoverCountsProps) {
  const { hrefWith } = useUrlState()
  const stageHref = (stage: StageChoice) => hrefWith({ stage: stage === selected ? undefined : stage, show: undefined })
  const counts: [name: string, count: number, words: string, href: string, chosen: boolean][] = [
    ['lost', summary.clustersLost.length, 'Clusters not ready', '/clusters?state=fail', false],
    ['unhealthy', summary.unhealthy, 'failing, not counted', stageHref('unhealthy'), selected === 'unhealthy'],
    ['toleration', summary.tolerating, 'toleration running', stageHref('toleration'), selected === 'toleration'],
    ['evicting', summary.evicting, 'evicting', stageHref('evicting'), selected === 'evicting'],
    ['replaced', summary.replaced, 'replaced', stageHref('replaced'), selected === 'replaced'],
    ['kept', summary.kept, 'held by user', stageHref('kept'), selected === 'kept'],
    [
      'done',
      summary.done24h,
      'done in 24 h',
      hrefWith({ show: history ? undefined : 'history', stage: undefined }),
      history,
    ],
  ]
  return (
    <nav aria-label="Failovers by stage" className="flex flex-wrap items-center gap-1">
      {counts.map(([name, count, words, href, chosen]) => (
        <Link
          key={name}
          href={href}
          scroll={false}
          aria-current={chosen ? 'true' : undefined}
          data-count={name}
          className={clsx(
            'flex h-6 items-center gap-1.5 rounded-control px-2 text-label hover:bg-sunken',
            chosen && 'bg-sunken font-semibold',
            count === 0 && !chosen && 'text-ink-2',
          )}
        >
          <span className="text-ink-2">{words}</span>
          <span>{formatCount(count)}</span>
        </Link>
      ))}
    </nav>
  )
}
