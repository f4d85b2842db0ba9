'use client'
import type { FailoverSummaryView } from '@/lib/view/failover-model'
import type { SummaryView } from '@/lib/view/live'
import type { State } from '@/lib/view/model'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import type { Section } from './sections'

interface Badge {
  state: State
  n: number
  code: 'shell.badge.clustersLost' | 'shell.badge.failovers'
}

/** Shows the number of problems of a page at its navigation entry; renders nothing without problems. */
export function SectionBadge({ id }: Pick<Section, 'id'>) {
  const text = useText()
  const running = useCollection('failover-now').byId.get('now')
  const summary = useCollection('summary').byId.get('now')
  const badge = badgeOf(id, running, summary)
  if (badge === undefined) return null
  const { state, n, code } = badge
  return (
    <span
      data-testid={`badge-${id}`}
      data-count={n}
      className="ml-auto flex items-center gap-1 pl-1 text-label text-ink"
    >
      <StateGlyph state={state} />
      <span aria-hidden="true">{text.format.count(n)}</span>
      <span className="sr-only">{text(code, { n })}</span>
    </span>
  )
}

/** Lost clusters come before single failovers: a badge has one figure. */
export function badgeOf(
  id: Section['id'],
  running: Pick<FailoverSummaryView, 'clustersLost' | 'running'> | undefined,
  summary: Pick<SummaryView, 'clusters'> | undefined,
): Badge | undefined {
  const lost = running?.clustersLost.length ?? 0
  const badges: Partial<Record<Section['id'], Badge>> = {
    incidents:
      lost > 0
        ? { state: 'fail', n: lost, code: 'shell.badge.clustersLost' }
        : { state: 'active', n: running?.running ?? 0, code: 'shell.badge.failovers' },
    clusters: { state: 'fail', n: summary?.clusters?.fail ?? 0, code: 'shell.badge.clustersLost' },
  }
  const badge = badges[id]
  return badge !== undefined && badge.n > 0 ? badge : undefined
}
