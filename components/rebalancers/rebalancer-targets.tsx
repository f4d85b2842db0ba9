import { message } from '@/lib/messages/message'
import type { RebalanceTargetView } from '@/lib/view/rebalance-model'
import { useText } from '../messages/use-text'
import {
  movedColumn,
  placesColumn,
  stateColumn,
  stepsColumn,
  type TargetColumn,
  TargetTable,
} from '../plan/target-table'
import { resultWord, stageIndex, STAGES, stepState } from './stages'

const COLUMNS: readonly TargetColumn<RebalanceTargetView>[] = [
  placesColumn(({ before, after, predicted, uncertain, expected }) => ({
    before,
    after,
    predicted,
    uncertain,
    expected,
  })),
  movedColumn,
  stepsColumn(message('rebalance.column.steps'), (target, text) => ({
    at: stageIndex(target.stage),
    word: text(`rebalance.stage.${target.stage}`),
    steps: STAGES.map((stage) => ({
      name: text(`rebalance.stage.${stage}`),
      meaning: text(`rebalance.stageMeaning.${stage}`),
      state: stepState(target, stage),
    })),
  })),
  stateColumn(message('plan.column.state'), ({ stage }, text) => text(`rebalance.stage.${stage}`)),
  {
    head: message('rebalance.column.result'),
    sortBy: ({ result }, text) => resultWord(text, result),
    cell: ({ result, reason }, text) => (
      <>
        {resultWord(text, result)}
        {reason && <p className="text-ink-2">{reason}</p>}
      </>
    ),
  },
]

/** Replicas of each target before and after, and its stage. */
export function RebalancerTargets({ targets }: { targets: readonly RebalanceTargetView[] }) {
  const text = useText()
  return (
    <TargetTable
      label={text('rebalance.page.targets')}
      testId="rebalance-targets"
      targets={targets}
      columns={COLUMNS}
      dataOf={({ stage, moved }) => ({
        'data-testid': 'rebalance-target',
        'data-stage': stage,
        'data-moved': moved ?? '',
      })}
    />
  )
}
