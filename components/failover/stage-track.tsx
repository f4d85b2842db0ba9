import { stateWord } from '@/lib/format'
import type { FailoverStoryView } from '@/lib/view/failover-model'
import { StepTrack } from '../status/step-track'
import { STAGE_MEANING, STAGE_WORDS } from './failover-words'

/** The five stages as marks on a line, and the present one as a word. */
export function StageTrack({ story }: { story: FailoverStoryView }) {
  const steps = story.steps.map(({ stage, state }) => ({
    name: STAGE_WORDS[stage],
    meaning: STAGE_MEANING[stage],
    state,
  }))
  return (
    <span className="flex items-center gap-2">
      <span className="w-28 shrink-0">
        <StepTrack label="Stages" steps={steps} tight />
      </span>
      <span className="w-18 whitespace-nowrap">{story.kept ? stateWord('held') : STAGE_WORDS[story.stage]}</span>
    </span>
  )
}
