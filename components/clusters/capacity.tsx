import type { CapacityView } from '@/lib/view/model'
import { useText } from '../messages/use-text'
import { Td } from '../ui/table'

interface CapacityCellProps {
  capacity: CapacityView | undefined
  className?: string
  title?: string
}

/** What is used (dark), requested by pending pods (light) and free, with the free share as a percentage. */
export function CapacityCell({ capacity, ...cell }: CapacityCellProps) {
  const text = useText()
  if (capacity === undefined) return <Td title={text('clusters.notReported')}>◌</Td>
  const free = Math.max(0, capacity.allocatable - capacity.allocated)
  return (
    <Td {...cell}>
      <span className="flex items-center gap-2">
        <CapacityBar capacity={capacity} />
        <span className="w-9 text-right">{text.format.percent(free, capacity.allocatable)}</span>
      </span>
    </Td>
  )
}

export function CapacityBar({ capacity, width = 72 }: { capacity: CapacityView; width?: number }) {
  const { allocatable, allocated, allocating } = capacity
  const share = (amount: number) => (allocatable > 0 ? Math.min(1, Math.max(0, amount / allocatable)) * width : 0)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} 10`} width={width} height={10} className="shrink-0">
      <rect width={width} height="10" className="fill-sunken" />
      <rect width={share(allocated + allocating)} height="10" className="fill-amount-3" />
      <rect width={share(allocated)} height="10" className="fill-amount-6" />
      <line x1="0" x2={width} y1="9.5" y2="9.5" className="stroke-line-strong" />
    </svg>
  )
}
