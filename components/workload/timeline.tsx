'use client'
import { formatNumberOf } from '@/lib/format'
import type { TimelineEntryView } from '@/lib/view/model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { StateGlyph } from '../status/state-glyph'
import { Link } from '../ui/link'
import { isRoutine } from './routine'

const SOURCES: Record<TimelineEntryView['source'], string> = {
  event: 'Event', condition: 'Condition', eviction: 'Eviction', rebalance: 'Rebalance', placement: 'Placement',
}

/** What happened, newest first. What the loops report all day is left out until asked for. */
export function Timeline({ entries }: { entries: readonly TimelineEntryView[] }) {
  const { get, hrefWith } = useUrlState()
  const all = get('events') === 'all'
  const telling = entries.filter((entry) => !isRoutine(entry))
  const routine = entries.length - telling.length
  return (
    <>
      {routine > 0 && (
        <p className="mb-3 text-ink-2">
          {formatNumberOf(routine, 'routine event')} {all ? 'shown' : 'left out'}.{' '}
          <Link href={hrefWith({ events: all ? undefined : 'all' })} scroll={false} className="link">
            {all ? 'Leave them out' : 'Show them'}
          </Link>
        </p>
      )}
      {telling.length === 0 && !all && <p className="text-ink-2">Nothing else has been recorded yet.</p>}
      <ol aria-label="Timeline" className="flex flex-col">
        {(all ? entries : telling).map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </>
  )
}

function Entry({ entry }: { entry: TimelineEntryView }) {
  const text = useText()
  const about = [SOURCES[entry.source], entry.cluster, (entry.count ?? 1) > 1 && `${entry.count} times`]
    .filter(Boolean)
    .join(' · ')
  return (
    <li
      className="group grid grid-cols-[7rem_12px_1fr] gap-x-3"
      data-testid="timeline-entry"
      data-source={entry.source}
    >
      <span className="pt-0.5 text-right text-label font-normal text-ink-2">
        <Ago time={entry.at} />
      </span>
      <span className="relative flex justify-center">
        <span
          aria-hidden="true"
          className="absolute inset-y-0 w-px bg-line group-first:top-2 group-last:bottom-[calc(100%-8px)]"
        />
        <span className="relative mt-1 h-3 bg-paper">
          <StateGlyph state={entry.state} />
        </span>
        <span className="sr-only">{text(`common.state.${entry.state}`)}</span>
      </span>
      <div className="pb-3">
        <p>
          <span className="font-medium">{entry.title}</span>
          <span className="ml-2 text-label font-normal text-ink-2">{about}</span>
        </p>
        <p className="text-ink-2">{entry.detail}</p>
      </div>
    </li>
  )
}
