'use client'
import { useId } from 'react'
import { Choice } from '../ui/choice'
import { TextField } from '../ui/field'
import { Warning } from './action-drawer'
import { PairRows } from './pair-rows'
import { type DraftErrors, NEW_QUEUE, type QueueDraft } from './queue-form'
import { ON_DELETE_MEANING, STRATEGY_MEANING, STRATEGY_WORDS } from './queue-texts'

const STRATEGIES = (['BestEffortFIFO', 'StrictFIFO'] as const).map((value) => ({
  value,
  label: `${STRATEGY_WORDS[value]}: ${STRATEGY_MEANING[value]}`,
}))
const QUOTAS = [
  { value: 'none', label: 'none: without limit' },
  { value: 'own', label: 'its own' },
  { value: 'federated', label: 'that of a FederatedResourceQuota' },
] as const
const BORROWING = [
  { value: 'nothing', label: 'nothing' },
  { value: 'limited', label: 'up to a limit' },
  { value: 'everything', label: 'everything that others leave unused' },
] as const
const ON_DELETE = (['Release', 'Hold'] as const).map((value) => ({ value, label: ON_DELETE_MEANING[value] }))

interface QueueFieldsProps {
  draft: QueueDraft
  errors: DraftErrors
  /** A queue that exists keeps its name. */
  isNew: boolean
  /** Namespaces that another queue serves, in words. */
  taken: readonly string[]
  onChange: (draft: QueueDraft) => void
}

/** All that can be set on a queue. Errors of fields that nobody has touched yet are not shown. */
export function QueueFields({ draft, errors, isNew, taken, onChange }: QueueFieldsProps) {
  const set = (part: Partial<QueueDraft>) => onChange({ ...draft, ...part })
  return (
    <>
      {isNew && <NameFields draft={draft} errors={errors} set={set} />}
      <TextField
        label="Further namespaces of this tenant"
        placeholder="shop-test, shop-stage"
        value={draft.namespaces}
        error={errors.namespaces}
        onChange={(event) => set({ namespaces: event.target.value })}
      />
      {taken.length > 0 && (
        <Warning>
          Another queue serves {taken.join(', ')} already; a namespace has one queue, so this will be refused.
        </Warning>
      )}
      <Choice label="Order" value={draft.strategy} options={STRATEGIES} onChange={(strategy) => set({ strategy })} />
      <ShareFields draft={draft} errors={errors} set={set} />
      <QuotaFields draft={draft} errors={errors} set={set} />
      <ClassFields draft={draft} errors={errors} set={set} />
      <Choice
        label="When it is deleted, those who wait"
        value={draft.onDelete}
        options={ON_DELETE}
        onChange={(onDelete) => set({ onDelete })}
      />
    </>
  )
}

interface PartProps extends Pick<QueueFieldsProps, 'draft' | 'errors'> {
  set: (part: Partial<QueueDraft>) => void
}

/** Where it lives, and what it is called: only a new one can choose. */
function NameFields({ draft, errors, set }: PartProps) {
  const shown = (field: keyof QueueDraft) => (draft[field] === NEW_QUEUE[field] ? undefined : errors[field])
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <TextField
        label="Namespace"
        hint="Of the tenant; the queue lives there."
        value={draft.namespace}
        error={shown('namespace')}
        onChange={(event) => set({ namespace: event.target.value })}
      />
      <TextField
        label="Name"
        value={draft.name}
        error={shown('name')}
        onChange={(event) => set({ name: event.target.value })}
      />
    </div>
  )
}

function ShareFields({ draft, errors, set }: PartProps) {
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <TextField
        label="Weight"
        hint="Share beside other queues when they compete."
        inputMode="numeric"
        value={draft.weight}
        error={errors.weight}
        onChange={(event) => set({ weight: event.target.value })}
      />
      <TextField
        label="At most in flight"
        hint="Released and not yet scheduled; empty: no limit."
        inputMode="numeric"
        value={draft.maxInFlight}
        error={errors.maxInFlight}
        onChange={(event) => set({ maxInFlight: event.target.value })}
      />
    </div>
  )
}

const AMOUNT = { names: { label: 'Resource', hint: 'cpu' }, values: { label: 'Amount', hint: '4' } }

function QuotaFields({ draft, errors, set }: PartProps) {
  return (
    <>
      <Choice label="Quota" value={draft.quota} options={QUOTAS} onChange={(quota) => set({ quota })} />
      {draft.quota === 'own' && (
        <PairRows
          label="Amounts of the quota"
          one="amount"
          {...AMOUNT}
          rows={draft.hard}
          error={draft.hard === NEW_QUEUE.hard ? undefined : errors.hard}
          onChange={(hard) => set({ hard })}
        />
      )}
      {draft.quota === 'federated' && (
        <TextField
          label="FederatedResourceQuota"
          value={draft.federatedResourceQuota}
          error={draft.federatedResourceQuota === '' ? undefined : errors.federatedResourceQuota}
          onChange={(event) => set({ federatedResourceQuota: event.target.value })}
        />
      )}
      {draft.quota !== 'none' && (
        <Choice
          label="May borrow beyond it"
          value={draft.borrowing}
          options={BORROWING}
          onChange={(borrowing) => set({ borrowing })}
        />
      )}
      {draft.quota !== 'none' && draft.borrowing === 'limited' && (
        <PairRows
          label="Amounts that may be borrowed"
          one="amount"
          {...AMOUNT}
          rows={draft.borrowingLimit}
          error={draft.borrowingLimit === NEW_QUEUE.borrowingLimit ? undefined : errors.borrowingLimit}
          onChange={(borrowingLimit) => set({ borrowingLimit })}
        />
      )}
    </>
  )
}

function ClassFields({ draft, errors, set }: PartProps) {
  const id = useId()
  const names = draft.classes.map(({ name }) => name.trim()).filter((name) => name !== '')
  const options = [
    { value: '', label: 'none: the priority of their policy counts' },
    ...[...new Set(names)].map((name) => ({ value: name, label: name })),
  ]
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="text-section">
        Priority classes
      </h3>
      <PairRows
        label="Classes, higher values first"
        one="class"
        names={{ label: 'Class', hint: 'urgent' }}
        values={{ label: 'Value', hint: '1000' }}
        rows={draft.classes}
        error={errors.classes}
        onChange={(classes) => set({ classes })}
      />
      {names.length > 0 && (
        <Choice
          label="Class of those that name none"
          value={draft.defaultClass}
          options={options}
          onChange={(defaultClass) => set({ defaultClass })}
        />
      )}
      {errors.defaultClass !== undefined && (
        <Warning>The class of those that name none is {errors.defaultClass.toLowerCase()}</Warning>
      )}
    </section>
  )
}
