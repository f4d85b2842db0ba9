'use client'
import { worstCase } from '@/lib/view/lab/outcome'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { useTextures } from '../picture/use-textures'
import { chosenIn } from './lab-picture'
import type { LabResult } from './use-lab'

const WIDTH = 200

/** Replicas that are left when the fullest cluster fails, now and with the edit, before anything is moved. */
export function LabChecks({ result: { outcome } }: { result: LabResult }) {
  const text = useText()
  const chosen = chosenIn(outcome, useUrlState().get('w'))
  if (!chosen) return null
  const { now, rebalanced } = chosen.tried
  const [before, after] = [worstCase(now), worstCase(rebalanced)]
  const most = Math.max(1, before.of, after.of)
  return (
    <section
      aria-label={text('policies.lab.worst')}
      data-testid="worst-case"
      data-now={before.left}
      data-after={after.left}
    >
      <h2 className="text-section">{text('policies.lab.worst')}</h2>
      <p className="text-ink-2">{text('policies.lab.worstMeaning')}</p>
      <WorstBar label={text('policies.lab.now')} worst={before} most={most} />
      <WorstBar label={text('policies.lab.withEdit')} worst={after} most={most} />
    </section>
  )
}

function WorstBar({ label, worst, most }: { label: string; worst: ReturnType<typeof worstCase>; most: number }) {
  const text = useText()
  const textures = useTextures()
  const at = (count: number) => (count / most) * WIDTH
  return (
    <div className="mt-1">
      <p>
        {worst.of === 0
          ? text('policies.lab.worstNone', { stage: label })
          : text('policies.lab.worstCase', {
              stage: label,
              left: worst.left,
              of: worst.of,
              cluster: worst.cluster ?? '',
            })}
      </p>
      <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} 12`} className="h-3 w-full" preserveAspectRatio="none" data-swatch>
        {textures.defs}
        <rect width={at(worst.left)} height="12" className="fill-amount-5" />
        <rect x={at(worst.left)} width={at(worst.of - worst.left)} height="12" fill={textures.fill('lost')} />
      </svg>
    </div>
  )
}
