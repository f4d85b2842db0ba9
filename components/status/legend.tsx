import { clsx } from 'clsx'
import type { State } from '@/lib/view/model'
import { useText } from '../messages/use-text'
import { StateGlyph } from './state-glyph'
import { STATES } from './states'
import { Link } from '../ui/link'

interface LegendProps {
  /** Absent until they are known: their place is kept. */
  counts: Record<State, number> | undefined
  /** What is counted: "Workloads by state". */
  label: string
  selected: State | undefined
  /** Address of the list of that state; without a state, of the whole list. */
  hrefOf: (state: State | undefined) => string
}

/** Counts per state. Every count is a link to the list that it counts; the chosen one links back to all. */
export function Legend({ counts, label, selected, hrefOf }: LegendProps) {
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-1">
      {STATES.map((state) => (
        <LegendEntry key={state} state={state} count={counts?.[state]} chosen={state === selected} hrefOf={hrefOf} />
      ))}
    </nav>
  )
}

interface EntryProps extends Pick<LegendProps, 'hrefOf'> {
  state: State
  count: number | undefined
  chosen: boolean
}

function LegendEntry({ state, count, chosen, hrefOf }: EntryProps) {
  const text = useText()
  return (
    <Link
      href={hrefOf(chosen ? undefined : state)}
      scroll={false}
      title={chosen ? text('common.showAllStates') : undefined}
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
      <span className="min-w-[1ch]">{count === undefined ? '·' : text.format.count(count)}</span>
      <span className="text-ink-2">{text(`common.state.${state}`)}</span>
    </Link>
  )
}
