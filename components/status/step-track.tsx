import type { State } from '@/lib/view/model'
import { StateGlyph } from './state-glyph'

export interface Step {
  name: string
  meaning: string
  state: State | 'none'
}

/** Steps in one line; the words are for those who do not see the marks. */
export function StepTrack({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <ol className="flex h-5 items-center" aria-label={label}>
      {steps.map(({ name, meaning, state }, index) => (
        <li key={name} className="flex items-center" title={`${name}: ${meaning}`}>
          {index > 0 && <span aria-hidden="true" className={state === 'ok' ? 'h-px w-6 bg-ink' : 'h-px w-6 bg-line'} />}
          {state === 'none' ? <span aria-hidden="true" className="mx-1 size-2 rounded-[50%] border border-line-strong" /> : <StateGlyph state={state} />}
          <span className="sr-only">
            {name}: {state === 'ok' ? 'done' : state === 'none' ? 'not yet' : 'now'}
          </span>
        </li>
      ))}
    </ol>
  )
}
