/** The score over time as a line of steps: each value holds until the next. */
import type { LossesView } from '@/lib/view/rebalance-model'

/** From 0 to 1, from left to right and from top to bottom. */
export interface ScoreStep {
  x: number
  y: number
}

/** The last step ends at the right edge. The scale begins at the lowest score, so that small changes are seen. */
export function scoreSteps(history: NonNullable<LossesView['history']>): ScoreStep[] {
  const times = history.map(({ at }) => Date.parse(at))
  const scores = history.map(({ score }) => score)
  const [from = 0, until = 0] = [times[0], times.at(-1)]
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)]
  // The present score is given a tenth of the width.
  const span = (until - from || 1) / 0.9
  const height = highest - lowest || 1
  return scores.flatMap((score, at) => {
    const y = (highest - score) / height
    const x = (times[at]! - from) / span
    const end = at + 1 < times.length ? (times[at + 1]! - from) / span : 1
    return [
      { x, y },
      { x: end, y },
    ]
  })
}
