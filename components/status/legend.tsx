import { clsx } from 'clsx'
import { formatCount, stateWord } from '@/lib/format'
import type { State } from '@/lib/view/model'
import { StateGlyph } from './state-glyph'
import { STATES } from './states'
import { Link } from '../ui/link'

interface LegendProps {
  /** Absent until they are known: their place is kept. */
  counts: Record<State, number> | undefined
  /** What is counted, in the plural: "workloads". */
  noun: string
  selected: State | undefined
  /** Address of the list of that state; without a state, of the whole list. */
  hrefOf: (state: State | undefined) => string
}

/** Counts per state. Every count is a link to the list that it counts; the chosen one links back to all. */
export function Legend({ counts, noun, selected, hrefOf }: LegendProps) {
  return (
    <nav aria-label={`${noun} by state`} className="flex flex-wrap items-center gap-1">
      {STATES.map((state) => (
        <LegendEntry
          key={state}
          state={state}
          count={counts?.[state]}
          noun={noun}
          chosen={state === selected}
          hrefOf={hrefOf}
        />
      ))}
    </nav>
  )
}

interface EntryProps extends Pick<LegendProps, 'noun' | 'hrefOf'> {
  state: State
  count: number | undefined
  chosen: boolean
}

function LegendEntry({ state, count, noun, chosen, hrefOf }: EntryProps) {
  return (
    <Link
      href={hrefOf(chosen ? undefined : state)}
      scroll={false}
      title={chosen ? 'Shown alone; show all' : undefined}
      aria-current={chosen ? 'true' : undefined}
      data-legend={state}
      className={clsx(
        'flex h-6 items-center gap-1.5 rounded-control px-2 text-label hover:bg-sunken',
        chosen && 'bg-sunken font-semibold',
        !count && !chosen && 'text-ink-2',
      )}
    >
      <span className={clsx('flex', !count && 'opacity-40')}>
        <StateGlyph state={state} />
      </span>
      <span className="min-w-[1ch]">{count === undefined ? '·' : formatCount(count)}</span>
      <span className="text-ink-2">
        {stateWord(state)}
        <span className="sr-only"> {noun}</span>
      </span>
    </Link>
  )
}
