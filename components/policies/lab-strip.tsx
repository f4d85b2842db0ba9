'use client'
import { clsx } from 'clsx'
import type { LabOutcome } from '@/lib/view/lab/outcome'
import { nameOf } from '@/lib/view/workload-id'
import { useText } from '../messages/use-text'

/** Maximum number of drawn columns, those with the largest changes; the list above contains all. */
const MOST = 40
const HEIGHT = 40

interface LabStripProps {
  outcome: LabOutcome
  chosen: string
  onChoose: (id: string) => void
}

/** All selected workloads by the replicas that would move; a column chooses its workload. */
export function LabStrip({ outcome, chosen, onChoose }: LabStripProps) {
  const text = useText()
  const sorted = outcome.workloads.toSorted((a, b) => b.tried.moved - a.tried.moved || (a.id < b.id ? -1 : 1))
  const most = Math.max(1, sorted[0]?.tried.moved ?? 0)
  return (
    <section aria-label={text('policies.lab.all')}>
      <h3 className="text-section">{text('policies.lab.allWorkloads', { n: outcome.workloads.length })}</h3>
      <p className="text-ink-2">
        {outcome.replicas === 0
          ? text('policies.lab.allPlaced', { placed: outcome.moved })
          : text('policies.lab.allMoved', { moved: outcome.moved, replicas: outcome.replicas })}
      </p>
      <ul className="flex items-end gap-1 overflow-x-auto py-2">
        {sorted.slice(0, MOST).map(({ id, ref, isNew, tried }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === chosen}
              aria-label={text(isNew ? 'policies.lab.newOption' : 'policies.lab.movesOf', {
                name: nameOf(ref),
                moved: tried.moved,
              })}
              title={text(isNew ? 'policies.lab.newOption' : 'policies.lab.movesOf', {
                name: nameOf(ref),
                moved: tried.moved,
              })}
              onClick={() => onChoose(id)}
              className="flex min-w-7 flex-col items-center hover:bg-sunken"
              data-testid="lab-workload"
              data-workload={id}
              data-moved={tried.moved}
            >
              <svg aria-hidden="true" width="24" height={HEIGHT + 2} data-swatch>
                <rect y={HEIGHT} width="24" height="1.5" className="fill-line-strong" />
                <rect
                  y={HEIGHT - (tried.moved / most) * HEIGHT}
                  x="2"
                  width="20"
                  height={(tried.moved / most) * HEIGHT}
                  className={id === chosen ? 'fill-amount-7' : 'fill-amount-4'}
                />
              </svg>
              <span className={clsx('text-micro', id === chosen && 'font-semibold underline')}>{tried.moved}</span>
            </button>
          </li>
        ))}
      </ul>
      {sorted.length > MOST && (
        <p className="text-ink-2">{text('policies.lab.allMore', { n: sorted.length - MOST })}</p>
      )}
    </section>
  )
}
