'use client'
import type { LossesView } from '@/lib/view/rebalance-model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { LossCard } from './loss-card'
import { LossTable } from './loss-table'
import { PairMatrix } from './pair-matrix'
import { PlaceList } from './place-list'
import { GROUPINGS, type Grouping, useChosen, useGrouping } from './use-chosen'

const VIEWS = ['picture', 'table'] as const

/** The losses of pairs, regions or zones, as a picture or as a table. */
export function LossPicture({ losses }: { losses: LossesView }) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const grouping = useGrouping()
  const view = get('view') === 'table' ? 'table' : 'picture'
  return (
    <section aria-label={text(`resilience.${grouping}.title`)} className="min-w-0 px-6 py-4 max-wide:px-4">
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="text-section">{text(`resilience.${grouping}.title`)}</h2>
        <p className="text-ink-2">{text(`resilience.${grouping}.hint`)}</p>
        <div className="ml-auto flex flex-wrap gap-2">
          <Switch
            label={text('resilience.by.label')}
            value={grouping}
            options={GROUPINGS.map((value) => ({ value, label: text(`resilience.by.${value}`) }))}
            onChange={(by) => tweak({ by: by === 'pairs' ? undefined : by, loss: undefined })}
          />
          <Switch
            label={text('resilience.view.label')}
            value={view}
            options={VIEWS.map((value) => ({ value, label: text(`resilience.view.${value}`) }))}
            onChange={(next) => tweak({ view: next === 'picture' ? undefined : next })}
          />
        </div>
      </div>
      <Shown losses={losses} grouping={grouping} isTable={view === 'table'} />
    </section>
  )
}

interface ShownProps {
  losses: LossesView
  grouping: Grouping
  isTable: boolean
}

function Shown({ losses, grouping, isTable }: ShownProps) {
  const chosen = useChosen(losses)
  if (isTable) {
    return (
      <>
        <LossTable losses={losses} grouping={grouping} />
        {chosen && (
          <div className="mt-4 w-80 max-w-full">
            <LossCard chosen={chosen} />
          </div>
        )}
      </>
    )
  }
  if (grouping === 'regions') return <PlaceList kind="region" losses={losses} chosen={chosen} />
  if (grouping === 'zones') return <PlaceList kind="zone" losses={losses} chosen={chosen} />
  return <PairMatrix losses={losses} chosen={chosen} />
}

interface SwitchProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

function Switch<T extends string>({ label, value, options, onChange }: SwitchProps<T>) {
  return (
    <fieldset aria-label={label} className="flex">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="h-7 border border-line-strong px-2.5 not-first:border-l-0 first:rounded-l-control last:rounded-r-control hover:bg-raised aria-pressed:bg-sunken aria-pressed:font-medium max-wide:h-11"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
