import { clsx } from 'clsx'
import { stageWord } from '@/lib/format'
import type { RebalancerView, RebalanceStage } from '@/lib/view/rebalance-model'
import { reached, STAGE_MEANING, STAGES } from './stages'
import { Link } from '../ui/link'

interface StageCountsProps {
  rebalancer: RebalancerView
  selected: RebalanceStage | undefined
  hrefOf: (stage: RebalanceStage | undefined) => string
}

/** How many targets have come to each stage; every count links to those targets. */
export function StageCounts({ rebalancer, selected, hrefOf }: StageCountsProps) {
  const { targets, counts } = rebalancer
  const figures: [stage: RebalanceStage, count: number][] = [
    ...STAGES.map((stage): [RebalanceStage, number] => [stage, reached(targets, stage)]),
    ['failed', counts.failed],
  ]
  return (
    <nav aria-label="Targets by stage" className="flex flex-wrap gap-2">
      {figures.map(([stage, count]) => (
        <Link
          key={stage}
          href={hrefOf(stage === selected ? undefined : stage)}
          scroll={false}
          aria-current={stage === selected ? 'true' : undefined}
          title={STAGE_MEANING[stage]}
          data-stage={stage}
          data-count={count}
          className={clsx(
            'flex min-w-28 flex-col rounded-panel px-3 py-1 hover:bg-sunken',
            stage === selected && 'bg-sunken',
          )}
        >
          <span className="text-figure">
            {count}
            {stage !== 'failed' && <span className="text-body font-normal text-ink-2"> / {targets.length}</span>}
          </span>
          <span className="text-label text-ink-2">{stageWord(stage)}</span>
        </Link>
      ))}
    </nav>
  )
}
