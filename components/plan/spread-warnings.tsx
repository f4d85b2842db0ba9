'use client'
import { formatCount } from '@/lib/format'
import type { ReplicasInCluster, WorkloadRef } from '@/lib/view/model'
import { shareChanges, type ShareChangeView } from '@/lib/view/spread-shares'
import { nameOf } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
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

/** Where the percentages of a spread come to other counts because a cluster gets more pods, or fewer. Nothing where none do. */
export function SpreadWarnings({ targets }: { targets: readonly Moved[] }) {
  const spreads = useCollection('spreads')
  const lines = targets.flatMap(({ id, ref, before, after }) => spreads.items
    .filter((spread) => spread.workload === id)
    .flatMap((spread) => shareChanges(spread, before, after).map((change) => ({ spread, ref, change }))))
  if (lines.length === 0) return null
  return (
    <section aria-label="Spreads" className="mb-3" data-testid="spread-warnings">
      <p className="flex flex-wrap gap-x-2">
        <StateMark state="warn" word="Percentages come to other counts" />
        <span className="text-ink-2">Until a cluster has counted anew, pods come and go by the old ones.</span>
      </p>
      <ul>
        {lines.slice(0, MOST).map(({ spread, ref, change }) => (
          <li
            key={`${spread.id} ${change.cluster}`}
            className="flex flex-wrap gap-x-2 pl-[18px]"
            data-spread={spread.id}
            data-cluster={change.cluster}
          >
            <span>
              {nameOf(ref)} in {change.cluster}: {formatCount(change.before)} → {formatCount(change.after)} pods,
            </span>
            <Link href={href.spread(spread.id)} className="link">
              {spread.name}
            </Link>
            <span>{change.subsets.map(subsetWords).join(' · ')}</span>
          </li>
        ))}
        {lines.length > MOST && <li className="pl-[18px] text-ink-2">and {lines.length - MOST} more</li>}
      </ul>
    </section>
  )
}

function subsetWords({ name, share, before, after }: ShareChangeView['subsets'][number]): string {
  return `${name} ${share} = ${formatCount(before)} → ${formatCount(after)}`
}
