import { formatNumberOf } from '@/lib/format'
import type { ClusterHeadroomView } from '@/lib/view/rebalance-model'
import { href } from '../hooks/url-state'
import { Link } from '../ui/link'
import { StateMark } from '../status/state-mark'

/** Clusters that would get more than they have room for. Nothing where all fits. */
export function HeadroomWarnings({ headroom }: { headroom: readonly ClusterHeadroomView[] }) {
  const short = headroom.filter((line) => line.short)
  if (short.length === 0) return null
  return (
    <ul className="mb-3" data-testid="headroom">
      {short.map(({ cluster, gains, room }) => (
        <li key={cluster} className="flex flex-wrap gap-x-2" data-cluster={cluster}>
          <StateMark state="warn" word="Too little room" />
          <span>
            <Link href={href.cluster(cluster)} className="link">
              {cluster}
            </Link>{' '}
            gains {formatNumberOf(gains, 'replica')} in all and has room for {room}: the last ones wait for what is
            freed elsewhere.
          </span>
        </li>
      ))}
    </ul>
  )
}
