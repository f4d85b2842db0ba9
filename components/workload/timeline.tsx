import { stateWord } from '@/lib/format'
import type { TimelineEntryView } from '@/lib/view/model'
import { Ago } from '../status/ago'
import { StateGlyph } from '../status/state-glyph'

const SOURCES: Record<TimelineEntryView['source'], string> = {
  event: 'Event', condition: 'Condition', eviction: 'Eviction', rebalance: 'Rebalance', placement: 'Placement',
}

/** What happened, newest first, on one line of time. */
export function Timeline({ entries }: { entries: readonly TimelineEntryView[] }) {
  if (entries.length === 0) return <p className="text-ink-2">Nothing has been recorded yet.</p>
  return (
    <ol aria-label="Timeline" className="flex flex-col">
      {entries.map((entry) => (
        <li key={entry.id} className="group grid grid-cols-[7rem_12px_1fr] gap-x-3" data-testid="timeline-entry" data-source={entry.source}>
          <span className="pt-0.5 text-right text-label font-normal text-ink-2">
            <Ago time={entry.at} />
          </span>
          <span className="relative flex justify-center">
            <span aria-hidden="true" className="absolute inset-y-0 w-px bg-line group-first:top-2 group-last:bottom-[calc(100%-8px)]" />
            <span className="relative mt-1 h-3 bg-paper">
              <StateGlyph state={entry.state} />
            </span>
            <span className="sr-only">{stateWord(entry.state)}</span>
          </span>
          <div className="pb-3">
            <p>
              <span className="font-medium">{entry.title}</span>
              <span className="ml-2 text-label font-normal text-ink-2">
                {[SOURCES[entry.source], entry.cluster, (entry.count ?? 1) > 1 && `${entry.count} times`].filter(Boolean).join(' · ')}
              </span>
            </p>
            <p className="text-ink-2">{entry.detail}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
