import { stageWord } from '@/lib/format'
import type { RebalanceTargetView } from '@/lib/view/rebalance-model'
import { Places } from '../plan/places'
import { StateMark } from '../status/state-mark'
import { StepTrack } from '../status/step-track'
import { WorkloadName } from '../status/workload-name'
import { InsetTable, Td, Th } from '../ui/table'
import { STAGE_MEANING, resultWord, STAGES, stepState } from './stages'

/** Target by target: where it was, where it is, how far it has come. */
export function TargetTable({ targets }: { targets: readonly RebalanceTargetView[] }) {
  return (
    <InsetTable aria-label="Targets" data-testid="rebalance-targets">
      <thead>
        <tr>
          <Th className="pl-0">Target</Th>
          <Th>Before → after</Th>
          <Th figure>Moved</Th>
          <Th>{STAGES.map(stageWord).join(' → ')}</Th>
          <Th>State</Th>
          <Th>API says</Th>
        </tr>
      </thead>
      <tbody>
        {targets.map((target) => (
          <TargetRow key={target.id} target={target} />
        ))}
      </tbody>
    </InsetTable>
  )
}

function TargetRow({ target }: { target: RebalanceTargetView }) {
  return (
    <tr
      className="align-top"
      data-testid="rebalance-target"
      data-workload={target.id}
      data-stage={target.stage}
      data-moved={target.moved ?? ''}
    >
      <Td className="py-1 pl-0 whitespace-nowrap">
        <WorkloadName id={target.id} workload={target.ref} />
      </Td>
      <Td className="py-1">
        <Places before={target.before} after={target.after} predicted={target.predicted} />
      </Td>
      <Td figure className="py-1">
        {target.moved ?? '—'}
      </Td>
      <Td className="py-1">
        <StepTrack
          label={`Stage: ${stageWord(target.stage)}`}
          steps={STAGES.map((stage) => ({
            name: stageWord(stage),
            meaning: STAGE_MEANING[stage],
            state: stepState(target, stage),
          }))}
        />
      </Td>
      <Td className="py-1">
        <StateMark state={target.state.state} word={stageWord(target.stage)} className="font-medium" />
        <p className="text-ink-2">{target.state.reason}</p>
      </Td>
      <Td className="py-1 whitespace-nowrap">
        {resultWord(target.result)}
        {target.reason && <p className="text-ink-2">{target.reason}</p>}
      </Td>
    </tr>
  )
}
