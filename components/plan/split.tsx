import { formatCount, formatNumberOf } from '@/lib/format'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

/** Workloads that one plan, and one WorkloadRebalancer of the console, takes. */
const MOST = { inWaves: 1000, atOnce: 5000 } as const

/** The targets in parts of equal size that one plan takes; one part where they fit. */
export function partsOf<T>(targets: readonly T[], inWaves: boolean): T[][] {
  const most = inWaves ? MOST.inWaves : MOST.atOnce
  const count = Math.max(1, Math.ceil(targets.length / most))
  const size = Math.ceil(targets.length / count)
  return Array.from({ length: count }, (_, part) => targets.slice(part * size, (part + 1) * size))
}

interface SplitOfferProps {
  targets: number
  parts: number
  inWaves: boolean
  onSplit: () => void
}

/** More is selected than one plan takes: offers several, each with its own preview. */
export function SplitOffer({ targets, parts, inWaves, onSplit }: SplitOfferProps) {
  const most = formatCount(inWaves ? MOST.inWaves : MOST.atOnce)
  return (
    <EmptyState title={`${formatCount(targets)} workloads are more than one plan takes`}>
      <p>
        A plan takes {most} at most. {formatNumberOf(parts, 'plan')} are previewed and applied one after the other.
      </p>
      <p>
        <Button variant="primary" onClick={onSplit}>
          Split into {formatNumberOf(parts, 'plan')}
        </Button>
      </p>
    </EmptyState>
  )
}
