'use client'
import type { PolicyView } from '@/lib/view/policy-model'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'

/** So many clusters are listed; the others are counted. */
const MOST = 12

/** Replicas by cluster, the largest first, all to one scale. */
export function ClusterBars({ clusters }: { clusters: PolicyView['clusters'] }) {
  const text = useText()
  const sorted = clusters.toSorted((a, b) => b.replicas - a.replicas)
  const most = Math.max(1, sorted[0]?.replicas ?? 0)
  const others = sorted.slice(MOST)
  return (
    <ul className="flex flex-col" data-testid="policy-clusters">
      {sorted.slice(0, MOST).map(({ cluster, replicas }) => (
        <li key={cluster} className="flex h-6 items-center gap-2" data-cluster={cluster} data-replicas={replicas}>
          <Link href={href.cluster(cluster)} className="w-40 shrink-0 truncate hover:underline" title={cluster}>
            {cluster}
          </Link>
          <svg
            aria-hidden="true"
            viewBox="0 0 100 10"
            preserveAspectRatio="none"
            className="h-2.5 min-w-0 grow"
            data-swatch
          >
            <rect width={(replicas / most) * 100} height="10" className="fill-amount-6" />
          </svg>
          <span className="w-10 shrink-0 text-right">{text.format.count(replicas)}</span>
        </li>
      ))}
      {others.length > 0 && (
        <li className="text-ink-2">
          {text('policies.moreClusters', {
            n: others.length,
            replicas: others.reduce((sum, { replicas }) => sum + replicas, 0),
          })}
        </li>
      )}
    </ul>
  )
}
