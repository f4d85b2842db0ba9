'use client'
import type { ReplicasInCluster, WorkloadRef } from '@/lib/view/model'
import { shareChanges } from '@/lib/view/spread-shares'
import { nameOf } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'

interface Moved {
  id: string
  ref: WorkloadRef
  before: readonly ReplicasInCluster[]
  after: readonly ReplicasInCluster[]
}

/** More lines than this are counted. */
const MOST = 20

/** Subsets whose percentage gives another number of pods because a cluster gains or loses pods. Nothing where none do. */
export function SpreadWarnings({ targets }: { targets: readonly Moved[] }) {
  const text = useText()
  const spreads = useCollection('spreads')
  const lines = targets.flatMap(({ id, ref, before, after }) =>
    spreads.items
      .filter((spread) => spread.workload === id)
      .flatMap((spread) => shareChanges(spread, before, after).map((change) => ({ spread, ref, change }))),
  )
  if (lines.length === 0) return null
  return (
    <section aria-label={text('plan.spread.title')} className="mb-3" data-testid="spread-warnings">
      <p className="flex flex-wrap gap-x-2">
        <StateMark state="warn" word={text('plan.spread.changed')} />
        <span className="text-ink-2">{text('plan.spread.hint')}</span>
      </p>
      <ul>
        {lines.slice(0, MOST).map(({ spread, ref, change }) => (
          <li
            key={`${spread.id} ${change.cluster}`}
            className="flex flex-wrap gap-x-2 pl-[18px]"
            data-spread={spread.id}
            data-cluster={change.cluster}
          >
            <span>{text('plan.spread.pods', { workload: nameOf(ref), ...change })}</span>
            <Link href={href.spread(spread.id)} className="link">
              {spread.name}
            </Link>
            <span>{change.subsets.map((subset) => text('plan.spread.subset', subset)).join(' · ')}</span>
          </li>
        ))}
        {lines.length > MOST && (
          <li className="pl-[18px] text-ink-2">{text('plan.spread.more', { n: lines.length - MOST })}</li>
        )}
      </ul>
    </section>
  )
}
