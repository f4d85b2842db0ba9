'use client'
import { useMemo } from 'react'
import { message } from '@/lib/messages/message'
import type { PlanRunTargetView, PlanRunView } from '@/lib/view/rebalance-model'
import { nameOf } from '@/lib/view/workload-id'
import { matchesFilter, parseFilter } from '../hooks/filter'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import {
  movedColumn,
  placesColumn,
  stateColumn,
  stepsColumn,
  type TargetColumn,
  TargetTable,
} from '../plan/target-table'
import { FilterField } from '../shell/filter-field'
import { FilteredRows } from '../shell/filtered-rows'
import { PLAN_STEPS, planStepState } from './plan-words'

/** Every workload of the plan: replicas before and after, its stage, and its fewest ready replicas. */
export function PlanRunTargets({ plan }: { plan: PlanRunView }) {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  const query = get('q') ?? ''
  const shown = useMemo(() => {
    const terms = parseFilter(query)
    return plan.targets.filter((target) =>
      matchesFilter(terms, {
        name: [nameOf(target.ref)],
        ns: [target.ref.namespace ?? ''],
        stage: [target.stage],
        wave: [String(target.wave ?? '')],
      }),
    )
  }, [plan.targets, query])
  return (
    <section aria-label={text('plan.run.workloads')}>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-section">{text('plan.run.workloads')}</h2>
        <FilterField hint={text('plan.run.filter')} />
      </div>
      {plan.targets.length === 0 && <p className="text-ink-2">{text('plan.run.selectsNothing')}</p>}
      <FilteredRows
        noun="workload"
        all={plan.targets}
        shown={shown}
        query={query}
        clearHref={hrefWith({ q: undefined })}
      >
        <TargetTable
          label={text('plan.run.targets')}
          testId="plan-run-targets"
          targets={shown}
          columns={COLUMNS}
          dataOf={({ stage, moved }) => ({
            'data-testid': 'plan-run-target',
            'data-stage': stage,
            'data-moved': moved,
          })}
        />
      </FilteredRows>
    </section>
  )
}

const COLUMNS: readonly TargetColumn<PlanRunTargetView>[] = [
  { head: message('plan.column.wave'), figure: true, cell: ({ wave }) => wave ?? '—', sortBy: ({ wave }) => wave },
  placesColumn(({ before, actual, predicted, uncertain }) => ({
    before,
    after: actual ?? predicted,
    predicted,
    uncertain: uncertain !== undefined,
    doubt: actual ? undefined : uncertain,
  })),
  movedColumn,
  stepsColumn(message('plan.column.steps'), (target, text) => ({
    at: PLAN_STEPS.findIndex((step) => step === target.stage),
    word: text(`plan.stage.${target.stage}`),
    steps: PLAN_STEPS.map((step) => ({
      name: text(`plan.stage.${step}`),
      meaning: text(`plan.stageMeaning.${step}`),
      state: planStepState(target, step),
    })),
  })),
  {
    head: message('plan.column.ready'),
    title: message('plan.column.readyHint'),
    figure: true,
    sortBy: ({ ready }) => ready.lowest ?? ready.expected,
    cell: ({ ready }) => (
      <span data-lowest={ready.lowest} data-floor={ready.floor}>
        {ready.lowest ?? (ready.expected === undefined ? '—' : `(${ready.expected})`)} / {ready.floor ?? '—'}
      </span>
    ),
  },
  stateColumn(message('plan.column.state'), ({ stage }, text) => text(`plan.stage.${stage}`)),
]
