import { formatNumberOf } from '@/lib/format'
import type { Right } from '../hooks/use-can'
import { WaitingChanges } from '../shell/waiting-changes'
import { Button } from '../ui/button'
import { GuardedButton } from '../ui/guarded-button'
import { Link } from '../ui/link'

interface FleetBarProps {
  /** `clusters` (shown and idle together) is absent where the reader may not list them. */
  counts: { shown: number; all: number; clusters: number | undefined; idle: number; waiting: number }
  selection: { workloads: number; replicas: number }
  clearHref: string
  onRelease: () => void
  onShowIdle: () => void
  onClear: () => void
  onPlan: () => void
  /** Whether the reader may rebalance. */
  right: Right
}

/** The foot of the matrix. It is always there, so nothing jumps when a selection begins or changes arrive. */
export function FleetBar(props: FleetBarProps) {
  const { selection } = props
  return (
    <div
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-raised px-6 py-1"
      data-testid="fleet-bar"
    >
      {selection.workloads > 0 ? <SelectionSummary {...props} /> : <Summary {...props} />}
      <span className="ml-auto">
        <WaitingChanges count={props.counts.waiting} onRelease={props.onRelease} />
      </span>
    </div>
  )
}

function Summary({ counts: { shown, all, clusters, idle }, clearHref, onShowIdle }: FleetBarProps) {
  return (
    <p className="text-ink-2">
      {shown === all ? formatNumberOf(all, 'workload') : `${shown} of ${formatNumberOf(all, 'workload')}`}
      {shown < all && (
        <Link href={clearHref} className="link ml-2">
          Show all
        </Link>
      )}
      {' · '}
      <Link href="/clusters" className="hover:underline">
        {clustersWords(clusters, idle)}
      </Link>
      {idle > 0 && (
        <button type="button" onClick={onShowIdle} className="link ml-2">
          Show {formatNumberOf(idle, 'idle cluster')}
        </button>
      )}
      <span className="ml-4 max-wide:hidden">Select workloads to rebalance them.</span>
    </p>
  )
}

/** "27 of 60 clusters" while idle columns are hidden. */
function clustersWords(clusters: number | undefined, idle: number): string {
  if (clusters === undefined) return 'clusters as far as your workloads are in them'
  return idle > 0 ? `${clusters - idle} of ${formatNumberOf(clusters, 'cluster')}` : formatNumberOf(clusters, 'cluster')
}

function SelectionSummary({ selection, onClear, onPlan, right }: FleetBarProps) {
  return (
    <>
      <p>
        <span className="font-medium">{formatNumberOf(selection.workloads, 'workload')} selected</span>
        <span className="text-ink-2"> · {formatNumberOf(selection.replicas, 'replica')}</span>
      </p>
      <GuardedButton right={right} variant="primary" onClick={onPlan} aria-keyshortcuts="p">
        Rebalance…
      </GuardedButton>
      <Button variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </>
  )
}
