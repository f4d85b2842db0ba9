'use client'
import { useMemo } from 'react'
import type { LossesView } from '@/lib/view/rebalance-model'
import { useText } from '../messages/use-text'
import { type ScoreStep, scoreSteps } from './score-steps'

const WIDTH = 120
const HEIGHT = 24

/** The score since it is recorded, as a small line with its sentence; nothing before it changes for the first time. */
export function ScoreLine({ history }: { history: NonNullable<LossesView['history']> }) {
  const text = useText()
  const steps = useMemo(() => scoreSteps(history), [history])
  const [first] = history
  const last = history.at(-1)
  if (history.length < 2 || !first || !last) return null
  const label = text('resilience.score.history', {
    time: { moment: first.at },
    first: first.score,
    last: last.score,
    lowest: Math.min(...history.map(({ score }) => score)),
  })
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn here
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      className="mt-1 ml-auto block text-accent"
      data-testid="score-line"
      data-points={history.length}
    >
      <title>{label}</title>
      <path d={pathOf(steps)} fill="none" stroke="currentColor" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

const round = (value: number): number => Math.round(value * 10) / 10

const pathOf = (steps: readonly ScoreStep[]): string =>
  steps.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${round(x * WIDTH)} ${round(1 + y * (HEIGHT - 2))}`).join('')
