'use client'
import { clsx } from 'clsx'
import type { FailoverView, FailoverSummaryView } from '@/lib/view/failover-model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
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
  const text = useText()
  const { hrefWith } = useUrlState()
  const stageHref = (stage: StageChoice) => hrefWith({ stage: stage === selected ? undefined : stage, show: undefined })
  const ofStage = (name: StageChoice, count: number) => [name, count, stageHref(name), selected === name] as const
  const counts = [
    ['lost', summary.clustersLost.length, '/clusters?state=fail', false],
    ofStage('unhealthy', summary.unhealthy),
    ofStage('toleration', summary.tolerating),
    ofStage('evicting', summary.evicting),
    ofStage('replaced', summary.replaced),
    ofStage('kept', summary.kept),
    ['done', summary.done24h, hrefWith({ show: history ? undefined : 'history', stage: undefined }), history],
  ] as const
  return (
    <nav aria-label={text('failover.byStage')} className="flex flex-wrap items-center gap-1">
      {counts.map(([name, count, href, chosen]) => (
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
          <span className="text-ink-2">{text(`failover.count.${name}`)}</span>
          <span>{text.format.count(count)}</span>
        </Link>
      ))}
    </nav>
  )
}
