import type { ClusterHeadroomView } from '@/lib/view/rebalance-model'
import { href } from '../hooks/url-state'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'

/** Clusters that would gain more replicas than they have capacity for. Nothing where all fit. */
export function HeadroomWarnings({ headroom }: { headroom: readonly ClusterHeadroomView[] }) {
  const text = useText()
  const short = headroom.filter((line) => line.short)
  if (short.length === 0) return null
  return (
    <ul className="mb-3" data-testid="headroom">
      {short.map(({ cluster, gains, room }) => (
        <li key={cluster} className="flex flex-wrap gap-x-2" data-cluster={cluster}>
          <StateMark state="warn" word={text('plan.headroom.short')} />
          <span>
            <Rich
              code="plan.headroom.gains"
              args={{ cluster, gains, room }}
              parts={{ link: <Link href={href.cluster(cluster)} className="link" /> }}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}
