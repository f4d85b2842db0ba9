import { clsx } from 'clsx'
import { afterMove, isExceeded, type LoadChange } from '@/lib/view/plan-flow/load'

/** Position of the tick for the allocatable amount; larger amounts extend to the end. */
const FULL = 0.8

interface LoadBarProps {
  change: LoadChange
  width: number
}

/** Solid: requested now and then. Pale: still to arrive. Dashed outline: still to leave. Tick: allocatable. */
export function LoadBar({ change, width }: LoadBarProps) {
  const after = afterMove(change)
  const { capacity } = change
  if (after === undefined || !capacity) {
    return (
      <rect x="0.5" y="0.5" width={width - 1} height="9" fill="none" strokeDasharray="2 3" className="stroke-ink-2" />
    )
  }
  const place = (amount: number): number => Math.min(1, (amount / Math.max(1, capacity.allocatable)) * FULL) * width
  const [now, then] = [place(capacity.requested), place(after)]
  const [less, more] = [Math.min(now, then), Math.max(now, then)]
  return (
    <>
      <rect width={width * FULL} height="10" className="fill-sunken" />
      <rect width={less} height="10" className={isExceeded(change) ? 'fill-warn' : 'fill-chart-recovered'} />
      {more - less > 0.5 && (
        <rect
          x={less}
          y="0.5"
          width={more - less}
          height="9"
          strokeDasharray={then < now ? '2 2' : undefined}
          className={clsx('stroke-chart-predicted', then < now ? 'fill-none' : 'fill-chart-predicted-fill')}
        />
      )}
      <path d={`M${width * FULL} -3v16`} strokeWidth="2" className="stroke-chart-limit" />
    </>
  )
}
