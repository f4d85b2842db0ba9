import { clsx } from 'clsx'
import type { State } from '@/lib/view/model'
import { useText } from '../messages/use-text'
import { StateGlyph } from './state-glyph'

interface StateMarkProps {
  state: State
  /** Replaces the word, where the subject has a better one ("Ready", "Lost"). */
  word?: string
  className?: string
}

/** Shows the shape and word of a state; colour only repeats them. */
export function StateMark({ state, word, className }: StateMarkProps) {
  const text = useText()
  return (
    <span
      className={clsx('inline-flex items-center gap-1.5 align-top whitespace-nowrap', className)}
      data-state={state}
    >
      <StateGlyph state={state} />
      <span className="truncate">{word ?? text(`common.state.${state}`)}</span>
    </span>
  )
}
