import { clsx } from 'clsx'
import type { RebalancerView, RebalanceStage } from '@/lib/view/rebalance-model'
import { useText } from '../messages/use-text'
import { reached, STAGES } from './stages'
import { Link } from '../ui/link'

interface StageCountsProps {
  rebalancer: RebalancerView
  selected: RebalanceStage | undefined
  hrefOf: (stage: RebalanceStage | undefined) => string
}

/** Number of targets that have reached each stage; every count links to those targets. */
export function StageCounts({ rebalancer, selected, hrefOf }: StageCountsProps) {
  const text = useText()
  const { targets, counts } = rebalancer
  const figures: [stage: RebalanceStage, count: number][] = [
    ...STAGES.map((stage): [RebalanceStage, number] => [stage, reached(counts, stage)]),
    ['failed', counts.failed],
  ]
  return (
    <nav aria-label={text('rebalance.page.byStage')} className="flex flex-wrap gap-2">
      {figures.map(([stage, count]) => (
        <Link
          key={stage}
          href={hrefOf(stage === selected ? undefined : stage)}
          scroll={false}
          aria-current={stage === selected ? 'true' : undefined}
          title={text(`rebalance.stageMeaning.${stage}`)}
          data-stage={stage}
          data-count={count}
          className={clsx(
            'flex min-w-28 flex-col rounded-panel px-3 py-1 hover:bg-sunken',
            stage === selected && 'bg-sunken',
          )}
        >
          <span className="text-figure">
            {text.format.count(count)}
            {stage !== 'failed' && (
              <span className="text-body font-normal text-ink-2"> / {text.format.count(targets.length)}</span>
            )}
          </span>
          <span className="text-label text-ink-2">{text(`rebalance.stage.${stage}`)}</span>
        </Link>
      ))}
    </nav>
  )
}
