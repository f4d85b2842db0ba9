'use client'
import type { TimelineEntryView } from '@/lib/view/model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { StateGlyph } from '../status/state-glyph'
import { Link } from '../ui/link'
import { isRoutine } from './routine'

/** Lists events, newest first. Frequent reports of controllers are hidden by default. */
export function Timeline({ entries }: { entries: readonly TimelineEntryView[] }) {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  const all = get('events') === 'all'
  const significant = entries.filter((entry) => !isRoutine(entry))
  const routine = entries.length - significant.length
  return (
    <>
      {routine > 0 && (
        <p className="mb-3 text-ink-2">
          {text(all ? 'workload.routineShown' : 'workload.routineHidden', { n: routine })}{' '}
          <Link href={hrefWith({ events: all ? undefined : 'all' })} scroll={false} className="link">
            {text(all ? 'workload.hideRoutine' : 'workload.showRoutine')}
          </Link>
        </p>
      )}
      {significant.length === 0 && !all && <p className="text-ink-2">{text('workload.timelineEmpty')}</p>}
      <ol aria-label={text('workload.timeline')} className="flex flex-col">
        {(all ? entries : significant).map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </>
  )
}

function Entry({ entry }: { entry: TimelineEntryView }) {
  const text = useText()
  const about = [
    text(`workload.source.${entry.source}`),
    entry.cluster,
    (entry.count ?? 1) > 1 && text('workload.times', { n: entry.count ?? 1 }),
  ]
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
          <span className="font-medium">{text.of(entry.title)}</span>
          <span className="ml-2 text-label font-normal text-ink-2">{about}</span>
        </p>
        <p className="text-ink-2">{text.of(entry.detail)}</p>
      </div>
    </li>
  )
}
