'use client'
import type { LossesView } from '@/lib/view/rebalance-model'
import { useText } from '../messages/use-text'

/** Shows the accuracy of predictions for real incidents; empty before the first one. */
export function PredictionAccuracy({ losses: { accuracy } }: { losses: LossesView }) {
  const text = useText()
  if (!accuracy) return null
  const { incidents, exact, missed } = accuracy
  const total = exact + missed
  return (
    <section
      aria-label={text('resilience.accuracy')}
      data-testid="loss-accuracy"
      data-exact={exact}
      data-missed={missed}
    >
      <h2 className="text-section">{text('resilience.accuracy')}</h2>
      <p className="text-ink-2">
        {/* Rounded down: 100 % says that all of them did. */}
        {text('resilience.accuracy.sum', {
          share: { share: Math.floor((100 * exact) / total) / 100 },
          exact,
          total,
          incidents,
        })}
      </p>
    </section>
  )
}
