import type { HoldView } from '@/lib/view/queue-model'
import { StateMark } from '../status/state-mark'
import { holdMark } from './queue-texts'

/** How true a pause is: a shape and a word of its own for each state. */
export function HoldMark({ hold, className }: { hold: HoldView; className?: string }) {
  const { state, word, meaning } = holdMark(hold)
  return (
    <span data-testid="hold-state" data-hold-state={hold.state} title={`${meaning} ${hold.sentence}`}>
      <StateMark state={state} word={word} className={className ?? ''} />
    </span>
  )
}
