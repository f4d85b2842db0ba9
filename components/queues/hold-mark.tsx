import type { HoldView } from '@/lib/view/queue-model'
import { StateMark } from '../status/state-mark'
import { holdMark } from './queue-words'

/** How true a pause is: a shape and a word of its own for each truth. */
export function HoldMark({ hold, className }: { hold: HoldView; className?: string }) {
  const { state, word, meaning } = holdMark(hold)
  return (
    <span data-testid="hold-truth" data-truth={hold.truth} title={`${meaning} ${hold.sentence}`}>
      <StateMark state={state} word={word} className={className ?? ''} />
    </span>
  )
}
