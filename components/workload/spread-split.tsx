import type { Text } from '@/lib/messages'
import type { SpreadInClusterView, SpreadView } from '@/lib/view/spread-model'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'

interface SpreadSplitProps {
  spread: SpreadView
  cluster: string
}

/** What the parts of a bar are: the subsets of the spread, in their order. */
export function SpreadSplit({ spread, cluster }: SpreadSplitProps) {
  const text = useText()
  const counts = spread.clusters.find((each) => each.cluster === cluster)
  if (counts === undefined) return null
  return (
    <Link
      href={href.spread(spread.id)}
      className="block text-label font-normal text-ink-2 hover:underline"
      title={text('workload.spread', { name: spread.id })}
      data-testid="spread-split"
    >
      {splitText(text, counts)}
    </Link>
  )
}

function splitText(text: Text, { subsets, sum }: SpreadInClusterView): string {
  if (subsets === undefined) return text('workload.subsetsUnreported')
  const unassigned = Math.max(0, sum?.off ?? 0)
  return [
    ...subsets.map(({ name, current }) => `${name} ${current}`),
    ...(unassigned > 0 ? [text('workload.outsideSubsets', { n: unassigned })] : []),
  ].join(' · ')
}
