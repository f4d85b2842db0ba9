'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useId, useMemo, useState } from 'react'
import type { Selection } from '@/lib/view/actions'
import type { WorkloadRef } from '@/lib/view/model'
import { nameProblem } from '@/lib/view/object-name'
import { workloadId } from '@/lib/view/workload-id'
import { ActionFailure, createPlan } from '../hooks/actions'
import { usePlansServed, useRebalancesServed } from '../hooks/use-about'
import { href } from '../hooks/url-state'
import { useRightsAgain } from '../hooks/use-can'
import { useCollection } from '../hooks/use-collection'
import { useRebalanceRights } from '../hooks/use-rebalance-rights'
import { useSelection } from '../hooks/use-selection'
import { useUrlState } from '../hooks/use-url-state'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { LaterPlanDrawer } from '../plan/later-plan-drawer'
import { readRollout, writeRollout } from '../plan/rollout'
import { NameField } from '../plan/name-field'
import { RolloutForm } from '../plan/rollout-form'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { GuardedButton } from '../ui/guarded-button'
import { Link } from '../ui/link'
import { readSelection, SELECTION_FIELDS, type SelectionField } from './selection'

/** Selects workloads by fields. The plan that it creates shows its preview and waits for approval. */
export function NewPlanPage() {
  const text = useText()
  const { get } = useUrlState()
  const [served, rebalances] = [usePlansServed(), useRebalancesServed()]
  const clusters = useCollection('clusters')
  const options = get('in')
  const rollout = useMemo(() => readRollout(options), [options])
  const selection = readSelection(get)
  return (
    <PageFrame
      title={<Trail parent={TRAILS.rebalancers} name={text('plan.new.title')} />}
      documentTitle={text('plan.new.title')}
      freshness={clusters.freshness}
      loaded={clusters.loaded}
    >
      <div className="flex max-w-4xl flex-col gap-6 px-6 py-4">
        {!served && rebalances && <p>{text('plan.new.notServed')}</p>}
        <SelectionForm />
        <HowForm />
        <Make selection={selection} rollout={rollout} served={served} />
      </div>
      <LaterPlanDrawer />
    </PageFrame>
  )
}

function SelectionForm() {
  const text = useText()
  const suggestions = useSuggestions()
  return (
    <section aria-labelledby="what">
      <h2 id="what" className="mb-1 text-section">
        {text('plan.new.workloads')}
      </h2>
      <p className="mb-2 text-ink-2">
        <Rich code="plan.new.fields" parts={{ link: <Link href={href.fleet()} className="link" /> }} />
      </p>
      <div className="grid gap-x-6 gap-y-3 wide:grid-cols-2">
        {SELECTION_FIELDS.map((field) => (
          <TextField key={field.name} field={field} suggestions={suggestions[field.name] ?? []} />
        ))}
      </div>
    </section>
  )
}

interface TextFieldProps {
  field: (typeof SELECTION_FIELDS)[number]
  suggestions: readonly string[]
}

/** Its text is kept in the address. */
function TextField({ field: { name, label, hint }, suggestions }: TextFieldProps) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const id = useId()
  return (
    <div className="flex flex-col gap-0.5">
      <label htmlFor={id} className="text-label text-ink-2">
        {text.of(label)}
      </label>
      <input
        id={id}
        type="text"
        name={name}
        value={get(name) ?? ''}
        placeholder={hint}
        list={`${id}-list`}
        onChange={(event) => tweak({ [name]: event.target.value })}
        spellCheck={false}
        autoComplete="off"
        className="h-7 rounded-control border border-line-strong bg-paper px-2 placeholder:text-ink-2"
      />
      <datalist id={`${id}-list`}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion}>
            {suggestion}
          </option>
        ))}
      </datalist>
    </div>
  )
}

/** Suggested values of each field, from the fleet. */
function useSuggestions(): Partial<Record<SelectionField, string[]>> {
  const workloads = useCollection('workloads')
  const clusters = useCollection('clusters')
  return useMemo(() => {
    const distinct = (values: readonly (string | undefined)[]) =>
      [...new Set(values.filter((value) => value !== undefined))].sort()
    const names = clusters.items.map((cluster) => cluster.name)
    return {
      ns: distinct(workloads.items.map(({ ref }) => ref.namespace)),
      kind: distinct(workloads.items.map(({ ref }) => ref.kind)),
      policy: distinct(
        workloads.items.map(
          ({ policy }) => policy && (policy.namespace ? `${policy.namespace}/${policy.name}` : policy.name),
        ),
      ),
      on: names,
      left: names,
    }
  }, [workloads.items, clusters.items])
}

function HowForm() {
  const text = useText()
  const { get, tweak } = useUrlState()
  const rollout = readRollout(get('in'))
  return (
    <section aria-labelledby="how">
      <h2 id="how" className="mb-1 text-section">
        {text('plan.form.how')}
      </h2>
      <RolloutForm rollout={rollout} onChange={(next) => tweak({ in: writeRollout(next) })} />
    </section>
  )
}

/** Selects the workloads and opens the drawer that splits a selection into several plans, each with its preview. */
function useSplit() {
  const { tweak } = useUrlState()
  const [, select] = useSelection()
  return (workloads: readonly WorkloadRef[]) => {
    select(() => workloads.map(workloadId))
    tweak({ plan: 'rebalance' })
  }
}

interface MakeProps {
  selection: Selection | undefined
  rollout: ReturnType<typeof readRollout>
  served: boolean
}

function Make({ selection, rollout, served }: MakeProps) {
  const text = useText()
  const [name, setName] = useState('')
  const isNamed = name === '' || nameProblem(name) === undefined
  const router = useRouter()
  const rightsAgain = useRightsAgain()
  const openSplit = useSplit()
  const make = useMutation({
    mutationFn: (chosen: Selection) => createPlan({ selection: chosen, rollout, ...(name !== '' && { name }) }),
    onSuccess: ({ name }) => router.push(href.planRun(name)),
    onError: (error) => {
      rightsAgain(error)
      if (error instanceof ActionFailure && error.workloads) openSplit(error.workloads)
    },
  })
  const right = useRebalanceRights().inWaves
  return (
    <div>
      {!right.allowed && <p className="mb-2">{right.reason}</p>}
      <NameField value={name} onChange={setName} />
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <GuardedButton
          right={right}
          variant="primary"
          disabled={!served || selection === undefined || !isNamed || make.isPending}
          onClick={() => selection && make.mutate(selection)}
        >
          {text(make.isPending ? 'rebalance.newPlan.creating' : 'rebalance.newPlan.preview')}
        </GuardedButton>
        <span className="text-ink-2">{text('plan.new.hint')}</span>
      </div>
      {make.error && (
        <p role="alert" className="mt-2 text-fail">
          {make.error.message}
        </p>
      )}
    </div>
  )
}
