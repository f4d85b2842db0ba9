import type { FailoverView } from '@/lib/view/failover-model'
import { useText } from '../messages/use-text'
import { StepTrack } from '../status/step-track'
import { STAGE_MEANING, STAGE_WORDS } from './failover-words'

/** The five stages as marks on a line, and the present one as a word. */
export function StageTrack({ failover }: { failover: FailoverView }) {
  const text = useText()
  const steps = failover.steps.map(({ stage, state }) => ({
    name: STAGE_WORDS[stage],
    meaning: STAGE_MEANING[stage],
    state,
  }))
  return (
    <span className="flex items-center gap-2">
      <span className="w-28 shrink-0">
        <StepTrack label="Stages" steps={steps} tight />
      </span>
      <span className="w-18 whitespace-nowrap">{failover.kept ? text('common.state.held') : STAGE_WORDS[failover.stage]}</span>
    </span>
  )
}
