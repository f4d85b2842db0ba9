'use client'
import { useMemo } from 'react'
import type { PlanRunTargetView, PlanRunView } from '@/lib/view/rebalance-model'
import { matchesFilter, nameOf, parseFilter } from '../hooks/filter'
import { useUrlState } from '../hooks/use-url-state'
import {
  movedColumn, placesColumn, stateColumn, stepsColumn, type TargetColumn, TargetTable,
} from '../plan/target-table'
import { FilterField } from '../shell/filter-field'
import { FilteredRows } from '../shell/filtered-rows'
import { PLAN_STEPS, planStepState, STEP_MEANING } from './plan-words'

/** Every workload of the plan: where it was and where it goes, how far it is, and what its readiness went through. */
export function PlanRunTargets({ plan }: { plan: PlanRunView }) {
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
    <section aria-label="Workloads">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-section">Workloads</h2>
        <FilterField hint="Filter: name, ns=, stage=, wave=" />
      </div>
      {plan.targets.length === 0 && <p className="text-ink-2">No workload is chosen by this plan.</p>}
      <FilteredRows
        noun="workload" all={plan.targets} shown={shown} query={query} clearHref={hrefWith({ q: undefined })}
      >
        {(rows) => (
          <TargetTable
            label="Workloads of the plan" testId="plan-run-targets" targets={rows} columns={COLUMNS}
            dataOf={({ stage, moved }) => ({
              'data-testid': 'plan-run-target', 'data-stage': stage, 'data-moved': moved,
            })}
          />
        )}
      </FilteredRows>
    </section>
  )
}

const COLUMNS: readonly TargetColumn<PlanRunTargetView>[] = [
  { head: 'Wave', figure: true, cell: ({ wave }) => wave ?? '—', sortBy: ({ wave }) => wave },
  placesColumn(({ before, actual, predicted }) => ({ before, after: actual ?? predicted, predicted })),
  movedColumn,
  stepsColumn(PLAN_STEPS, (target) => ({
    word: target.stage,
    steps: PLAN_STEPS.map((step) => ({
      name: step, meaning: STEP_MEANING[step], state: planStepState(target, step),
    })),
  })),
  {
    head: 'Ready, least / budget',
    title: 'Ready replicas: the least that was seen, and the least that the budget permits',
    figure: true,
    sortBy: ({ ready }) => ready.lowest ?? ready.expected,
    cell: ({ ready }) => (
      <span data-lowest={ready.lowest} data-floor={ready.floor}>
        {ready.lowest ?? (ready.expected === undefined ? '—' : `(${ready.expected})`)} / {ready.floor ?? '—'}
      </span>
    ),
  },
  stateColumn('State', ({ stage }) => stage),
]
