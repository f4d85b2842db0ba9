import type { RebalancerRowView } from '@/lib/view/rebalance-model'
import { STAGES, reached } from './stages'

const WIDTH = 96
const SHADES = ['fill-amount-2', 'fill-amount-3', 'fill-amount-5', 'fill-amount-7']

/** How far the targets are, the later stages darker and on top; the end is healthy. The words beside it say the same. */
export function StageBar({ rebalancer: { ids, counts } }: { rebalancer: Pick<RebalancerRowView, 'ids' | 'counts'> }) {
  const width = (count: number) => (ids.length === 0 ? 0 : (count / ids.length) * WIDTH)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} 10`} width={WIDTH} height={10} className="shrink-0">
      <rect width={WIDTH} height="10" className="fill-sunken" />
      {STAGES.map((stage, index) => (
        <rect key={stage} width={width(reached(counts, stage))} height="10" className={SHADES[index]} />
      ))}
      <rect x={WIDTH - width(counts.failed)} width={width(counts.failed)} height="10" className="fill-fail" />
      <line x1="0" x2={WIDTH} y1="9.5" y2="9.5" className="stroke-line-strong" />
    </svg>
  )
}
