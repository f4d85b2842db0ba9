import type { HoldView } from '@/lib/view/queue-model'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { holdMark } from './queue-texts'

/** The state of a hold: each has a shape and a word of its own. */
export function HoldMark({ hold, className }: { hold: HoldView; className?: string }) {
  const text = useText()
  const { state, word, meaning } = holdMark(text, hold)
  return (
    <span data-testid="hold-state" data-hold-state={hold.state} title={`${meaning} ${text.of(hold.message)}`}>
      <StateMark state={state} word={word} className={className ?? ''} />
    </span>
  )
}
