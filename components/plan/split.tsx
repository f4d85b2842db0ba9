import { useText } from '../messages/use-text'
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

/** Offers several plans, each with its own preview, where more workloads are selected than one plan takes. */
export function SplitOffer({ targets, parts, inWaves, onSplit }: SplitOfferProps) {
  const text = useText()
  return (
    <EmptyState title={text('plan.split.title', { targets })}>
      <p>{text('plan.split.limit', { most: inWaves ? MOST.inWaves : MOST.atOnce, parts })}</p>
      <p>
        <Button variant="primary" onClick={onSplit}>
          {text('plan.split.button', { parts })}
        </Button>
      </p>
    </EmptyState>
  )
}
