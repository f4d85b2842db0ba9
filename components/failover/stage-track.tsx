import type { FailoverView } from '@/lib/view/failover-model'
import { useText } from '../messages/use-text'
import { StepTrack } from '../status/step-track'

/** The five stages as marks on a line, and the present one as a word. */
export function StageTrack({ failover }: { failover: FailoverView }) {
  const text = useText()
  const steps = failover.steps.map(({ stage, state }) => ({
    name: text(`failover.stage.${stage}`),
    meaning: text(`failover.stageMeaning.${stage}`),
    state,
  }))
  return (
    <span className="flex items-center gap-2">
      <span className="w-28 shrink-0">
        <StepTrack label={text('failover.stages')} steps={steps} tight />
      </span>
      <span className="w-18 whitespace-nowrap">
        {text(failover.kept ? 'failover.kept' : `failover.stage.${failover.stage}`)}
      </span>
    </span>
  )
}
