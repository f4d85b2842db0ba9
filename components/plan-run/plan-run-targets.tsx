'use client'
import { useMemo } from 'react'
import type { PlanRunTargetView, PlanRunView } from '@/lib/view/rebalance-model'
import { matchesFilter, nameOf, parseFilter } from '../hooks/filter'
import { useUrlState } from '../hooks/use-url-state'
import { Places } from '../plan/places'
import { FilterField } from '../shell/filter-field'
import { StateMark } from '../status/state-mark'
import { StepTrack } from '../status/step-track'
import { WorkloadName } from '../status/workload-name'
import { Link } from '../ui/link'
import { InsetTable, Td, Th } from '../ui/table'
import { PLAN_STEPS, planStepState, STEP_MEANING } from './plan-words'

/** More rows than this are cut; the filter finds the others. */
const MOST_ROWS = 500

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
      {shown.length < plan.targets.length && (
        <p className="mb-1 text-ink-2">
          {shown.length} of {plan.targets.length} match {query}.{' '}
          <Link href={hrefWith({ q: undefined })} className="link">
            Show all
          </Link>
        </p>
      )}
      {plan.targets.length === 0 ? (
        <p className="text-ink-2">No workload is chosen by this plan.</p>
      ) : (
        <TargetTable targets={shown.slice(0, MOST_ROWS)} />
      )}
      {shown.length > MOST_ROWS && (
        <p className="mt-2 text-ink-2">{shown.length - MOST_ROWS} more; filter to see them.</p>
      )}
    </section>
  )
}

function TargetTable({ targets }: { targets: readonly PlanRunTargetView[] }) {
  return (
    <InsetTable aria-label="Workloads of the plan" data-testid="plan-run-targets">
      <thead>
        <tr>
          <Th className="pl-0">Workload</Th>
          <Th figure>Wave</Th>
          <Th>Before → after</Th>
          <Th figure>Moved</Th>
          <Th>{PLAN_STEPS.join(' → ')}</Th>
          <Th figure title="Ready replicas: the least that was seen, and the least that the budget permits">
            Ready, least / budget
          </Th>
          <Th>State</Th>
        </tr>
      </thead>
      <tbody>
        {targets.map((target) => (
          <TargetRow key={target.id} target={target} />
        ))}
      </tbody>
    </InsetTable>
  )
}

function TargetRow({ target }: { target: PlanRunTargetView }) {
  const { ready } = target
  return (
    <tr
      className="align-top"
      data-testid="plan-run-target"
      data-workload={target.id}
      data-stage={target.stage}
      data-moved={target.moved}
    >
      <Td className="py-1 pl-0 whitespace-nowrap">
        <WorkloadName id={target.id} workload={target.ref} />
      </Td>
      <Td figure className="py-1">
        {target.wave ?? '—'}
      </Td>
      <Td className="py-1">
        <Places before={target.before} after={target.actual ?? target.predicted} predicted={target.predicted} />
      </Td>
      <Td figure className="py-1">
        {target.moved}
      </Td>
      <Td className="py-1">
        <StepTrack
          label={`Stage: ${target.stage}`}
          steps={PLAN_STEPS.map((step) => ({
            name: step,
            meaning: STEP_MEANING[step],
            state: planStepState(target, step),
          }))}
        />
      </Td>
      <Td figure className="py-1" data-lowest={ready.lowest} data-floor={ready.floor}>
        {ready.lowest ?? (ready.expected === undefined ? '—' : `(${ready.expected})`)} / {ready.floor ?? '—'}
      </Td>
      <Td className="py-1">
        <StateMark state={target.state.state} word={target.stage} className="font-medium" />
        <p className="text-ink-2">{target.state.reason}</p>
      </Td>
    </tr>
  )
}
