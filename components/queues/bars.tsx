import { useId } from 'react'
import type { AmountView, QueueView } from '@/lib/view/queue-model'

const HEIGHT = 10

interface ShareBarProps {
  share: NonNullable<QueueView['share']>
  /** The length of a full bar. */
  scale: number
  width?: number
}

/** The share of a queue, hatched beyond its fair share, which the vertical mark shows. The figures beside it say the same. */
export function ShareBar({ share, scale, width = 96 }: ShareBarProps) {
  const { part, fair = part } = share
  const isKnown = share.fair !== undefined
  const at = (value: number) => (scale > 0 ? Math.min(1, value / scale) * (width - 2) : 0)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} 14`} width={width} height={14} className="shrink-0">
      <Lengths width={width} own={at(Math.min(part, fair))} all={at(part)} />
      {isKnown && <line x1={at(fair) + 1} x2={at(fair) + 1} y1="0" y2="14" strokeWidth="2" className="stroke-ink" />}
    </svg>
  )
}

/** The used part of a quota; what is borrowed beyond it is hatched, and the vertical mark is the quota. */
export function QuotaBar({
  amount: { used, quota = 0, borrowed },
  width = 160,
}: {
  amount: AmountView
  width?: number
}) {
  const scale = Math.max(quota, used, 1)
  const at = (value: number) => (value / scale) * (width - 2)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} 14`} width={width} height={14} className="shrink-0">
      <Lengths width={width} own={at(Math.max(0, used - borrowed))} all={at(used)} />
      <line x1={at(quota) + 1} x2={at(quota) + 1} y1="0" y2="14" strokeWidth="2" className="stroke-ink" />
    </svg>
  )
}

/** A length, of which the part beyond `own` is hatched: shape before colour. */
function Lengths({ width, own, all }: { width: number; own: number; all: number }) {
  const id = useId()
  return (
    <>
      <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="4" height="4" className="fill-amount-2" />
        <rect width="2" height="4" className="fill-amount-6" />
      </pattern>
      <rect y="2" width={width} height={HEIGHT} className="fill-sunken" />
      <rect y="2" width={all} height={HEIGHT} fill={`url(#${id})`} />
      <rect y="2" width={own} height={HEIGHT} className="fill-amount-6" />
      <line x1="0" x2={width} y1="11.5" y2="11.5" className="stroke-line-strong" />
    </>
  )
}
