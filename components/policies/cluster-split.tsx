'use client'
import type { PolicyView } from '@/lib/view/policy-model'
import { useText } from '../messages/use-text'

const WIDTH = 96
/** The depth of a segment says only that it is another cluster than its neighbour. */
const FILLS = ['fill-amount-6', 'fill-amount-4']

/** Replicas by cluster as one bar, whose length compares policies; the words beside it give the numbers. */
export function ClusterSplit({ clusters, most }: { clusters: PolicyView['clusters']; most: number }) {
  const text = useText()
  const total = clusters.reduce((sum, { replicas }) => sum + replicas, 0)
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} 12`}
        width={WIDTH}
        height={12}
        className="shrink-0 max-wide:hidden"
        data-swatch
      >
        <rect y="11" width={WIDTH} height="1" className="fill-line" />
        {segmentsOf(clusters, WIDTH / most).map(({ cluster, x, width }, index) => (
          <rect key={cluster} x={x} width={Math.max(0, width - 0.5)} height="11" className={FILLS[index % 2]} />
        ))}
      </svg>
      <span>{text('policies.spreadOver', { replicas: total, n: clusters.length })}</span>
    </span>
  )
}

/** One after the other, from the left. */
function segmentsOf(clusters: PolicyView['clusters'], scale: number) {
  const segments: { cluster: string; x: number; width: number }[] = []
  let x = 0
  for (const { cluster, replicas } of clusters) {
    segments.push({ cluster, x, width: replicas * scale })
    x += replicas * scale
  }
  return segments
}
