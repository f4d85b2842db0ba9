import type { Text } from '@/lib/messages'
import type { Right } from '../hooks/use-can'
import { useText } from '../messages/use-text'
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
  const text = useText()
  return (
    <p className="text-ink-2">
      {shown === all ? text('common.counted.workload', { n: all }) : text('fleet.shownOf', { shown, n: all })}
      {shown < all && (
        <Link href={clearHref} className="link ml-2">
          {text('common.showAll')}
        </Link>
      )}
      {' · '}
      <Link href="/clusters" className="hover:underline">
        {clustersText(text, clusters, idle)}
      </Link>
      {idle > 0 && (
        <button type="button" onClick={onShowIdle} className="link ml-2">
          {text('fleet.showIdle', { n: idle })}
        </button>
      )}
      <span className="ml-4 max-wide:hidden">{text('fleet.selectHint')}</span>
    </p>
  )
}

/** "27 of 60 clusters" while idle columns are hidden. */
function clustersText(text: Text, clusters: number | undefined, idle: number): string {
  if (clusters === undefined) return text('fleet.clustersOfWorkloads')
  return idle > 0
    ? text('fleet.clustersShown', { shown: clusters - idle, n: clusters })
    : text('common.counted.cluster', { n: clusters })
}

function SelectionSummary({ selection, onClear, onPlan, right }: FleetBarProps) {
  const text = useText()
  return (
    <>
      <p>
        <span className="font-medium">{text('fleet.selected', { n: selection.workloads })}</span>
        <span className="text-ink-2"> · {text('common.counted.replica', { n: selection.replicas })}</span>
      </p>
      <GuardedButton right={right} variant="primary" onClick={onPlan} aria-keyshortcuts="p">
        {text('fleet.rebalance')}
      </GuardedButton>
      <Button variant="quiet" onClick={onClear}>
        {text('fleet.clearSelection')}
      </Button>
    </>
  )
}
