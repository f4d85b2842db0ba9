'use client'
import type { ClusterView, WorkloadDetailView } from '@/lib/view/model'
import { clusterTimeline, type StateTimelineView, workloadTimeline } from '@/lib/view/project/state-timeline'
import type { JournalEntry } from '@/lib/view/journal'
import { journalAddress } from '../hooks/actions'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'
import { Moves, StateTimeline, useShownLanes } from './state-timeline'
import { useJournal } from './use-journal'

/** In hours. */
export const RANGES = [0.25, 1, 6, 24] as const
const HOUR_MS = 3_600_000

/** The states of a workload in each cluster. */
export function WorkloadTimeline({ workload }: { workload: WorkloadDetailView }) {
  const text = useText()
  return (
    <Recorded
      subject={{ workload: workload.id }}
      label={text('timeline.of', { name: workload.ref.name })}
      draw={(entries, range) => workloadTimeline(workload, entries, range)}
    />
  )
}

/** When a cluster was ready, and which workloads left it. */
export function ClusterTimeline({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const shown = useShownLanes()
  return (
    <Recorded
      subject={{ cluster: cluster.name }}
      label={text('timeline.of', { name: cluster.name })}
      named
      draw={(entries, range) => clusterTimeline(cluster, entries, range, shown)}
    />
  )
}

interface RecordedProps {
  subject: { workload?: string; cluster?: string }
  label: string
  named?: boolean
  draw: (entries: readonly JournalEntry[], range: { from: number; to: number }) => StateTimelineView
}

function Recorded({ subject, label, named = false, draw }: RecordedProps) {
  const text = useText()
  const { get } = useUrlState()
  const hours = RANGES.find((each) => String(each) === get('hours')) ?? 1
  const { recorded, error } = useJournal(subject, hours)
  return (
    <section aria-label={label}>
      <div className="mb-1 flex flex-wrap items-center gap-3">
        <h2 className="text-section">{text('timeline.title')}</h2>
        <RangeLinks hours={hours} />
        <a href={journalAddress(subject, true)} download className="link">
          {text('timeline.export')}
        </a>
      </div>
      {error && <p role="alert">{error.message}</p>}
      {recorded && <Drawn view={draw(recorded.entries, recorded)} label={label} named={named} />}
      {!recorded && !error && <p className="text-ink-2">{text('timeline.loading')}</p>}
    </section>
  )
}

function Drawn({ view, label, named }: { view: StateTimelineView; label: string; named: boolean }) {
  return (
    <>
      <StateTimeline view={view} label={label} />
      <Moves moves={view.moves} named={named} />
    </>
  )
}

export function RangeLinks({ hours }: { hours: number }) {
  const text = useText()
  const { hrefWith } = useUrlState()
  return (
    <nav aria-label={text('timeline.range')} className="flex gap-1">
      {RANGES.map((each) => (
        <Link
          key={each}
          href={hrefWith({ hours: String(each) })}
          scroll={false}
          aria-current={each === hours ? 'true' : undefined}
          className={
            each === hours
              ? 'rounded-control bg-sunken px-2 font-medium'
              : 'rounded-control px-2 text-ink-2 hover:bg-sunken'
          }
        >
          {text.format.duration(each * HOUR_MS)}
        </Link>
      ))}
    </nav>
  )
}
