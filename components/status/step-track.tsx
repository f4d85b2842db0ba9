import { clsx } from 'clsx'
import type { State } from '@/lib/view/model'
import { useText } from '../messages/use-text'
import { StateGlyph } from './state-glyph'

export interface Step {
  name: string
  meaning: string
  state: State | 'none'
}

/** Steps in one line; the words are for users who do not see the marks. */
export function StepTrack({ label, steps, tight = false }: { label: string; steps: readonly Step[]; tight?: boolean }) {
  const text = useText()
  const line = tight ? 'h-px w-3' : 'h-px w-6'
  return (
    <ol className="flex h-5 items-center" aria-label={label}>
      {steps.map(({ name, meaning, state }, index) => (
        <li key={name} className="flex items-center" title={text('common.stepMeaning', { name, meaning })}>
          {index > 0 && <span aria-hidden="true" className={clsx(line, state === 'ok' ? 'bg-ink' : 'bg-line')} />}
          <Mark
            state={state}
            words={text('common.step', {
              name,
              progress: state === 'ok' ? 'done' : state === 'none' ? 'other' : 'now',
            })}
          />
        </li>
      ))}
    </ol>
  )
}

/** The words are its name: hidden texts, five in each row, took a third of the layout of a long table. */
function Mark({ state, words }: { state: Step['state']; words: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn here
    <span role="img" aria-label={words} className="flex">
      {state === 'none' ? (
        <span className="mx-1 size-2 rounded-[50%] border border-line-strong" />
      ) : (
        <StateGlyph state={state} />
      )}
    </span>
  )
}
