import { stageWord } from '@/lib/format'
import type { RebalanceTargetView } from '@/lib/view/rebalance-model'
import {
  movedColumn, placesColumn, stateColumn, stepsColumn, type TargetColumn, TargetTable,
} from '../plan/target-table'
import { STAGE_MEANING, resultWord, STAGES, stepState } from './stages'

const COLUMNS: readonly TargetColumn<RebalanceTargetView>[] = [
  placesColumn(({ before, after, predicted }) => ({ before, after, predicted })),
  movedColumn,
  stepsColumn(STAGES.map(stageWord), (target) => ({
    word: stageWord(target.stage),
    steps: STAGES.map((stage) => ({
      name: stageWord(stage), meaning: STAGE_MEANING[stage], state: stepState(target, stage),
    })),
  })),
  stateColumn('State', ({ stage }) => stageWord(stage)),
  {
    head: 'API says',
    sortBy: ({ result }) => resultWord(result),
    cell: ({ result, reason }) => (
      <>
        {resultWord(result)}
        {reason && <p className="text-ink-2">{reason}</p>}
      </>
    ),
  },
]

/** Where each was, where it is, how far it has come. */
export function RebalancerTargets({ targets }: { targets: readonly RebalanceTargetView[] }) {
  return (
    <TargetTable
      label="Workloads of the rebalancer" testId="rebalance-targets" targets={targets} columns={COLUMNS}
      dataOf={({ stage, moved }) => ({
        'data-testid': 'rebalance-target', 'data-stage': stage, 'data-moved': moved ?? '',
      })}
    />
  )
}
