import { formatNumberOf } from '@/lib/format'
import type { SpreadInClusterView, SpreadView } from '@/lib/view/spread-model'
import { href } from '../hooks/url-state'
import { Link } from '../ui/link'

interface SpreadSplitProps {
  spread: SpreadView
  cluster: string
}

/** What the parts of a bar are: the subsets of the spread, in their order. */
export function SpreadSplit({ spread, cluster }: SpreadSplitProps) {
  const counts = spread.clusters.find((each) => each.cluster === cluster)
  if (counts === undefined) return null
  return (
    <Link
      href={href.spread(spread.id)}
      className="block text-label font-normal text-ink-2 hover:underline"
      title={`Spread ${spread.id}`}
      data-testid="spread-split"
    >
      {splitWords(counts)}
    </Link>
  )
}

function splitWords({ subsets, sum }: SpreadInClusterView): string {
  if (subsets === undefined) return 'subsets not reported'
  const unassigned = Math.max(0, sum?.off ?? 0)
  return [
    ...subsets.map(({ name, current }) => `${name} ${current}`),
    ...(unassigned > 0 ? [`${formatNumberOf(unassigned, 'pod')} in no subset`] : []),
  ].join(' · ')
}
