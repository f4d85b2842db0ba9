'use client'
import { useId } from 'react'
import type { Text } from '@/lib/messages'
import { useText } from '../messages/use-text'
import { Choice } from '../ui/choice'
import { TextField } from '../ui/field'
import { Warning } from '../queue-actions/action-drawer'
import { PairRows } from './pair-rows'
import { type DraftErrors, NEW_QUEUE, type QueueDraft } from './queue-form'

const STRATEGIES = ['BestEffortFIFO', 'StrictFIFO'] as const
const QUOTAS = ['none', 'own', 'federated'] as const
const BORROWING = ['nothing', 'limited', 'everything'] as const
const ON_DELETE = ['Release', 'Hold'] as const

interface QueueFieldsProps {
  draft: QueueDraft
  errors: DraftErrors
  /** A queue that exists keeps its name. */
  isNew: boolean
  /** Namespaces that another queue includes. */
  taken: readonly string[]
  onChange: (draft: QueueDraft) => void
}

/** The settings of a queue. Errors of untouched fields are not shown. */
export function QueueFields({ draft, errors, isNew, taken, onChange }: QueueFieldsProps) {
  const text = useText()
  const set = (part: Partial<QueueDraft>) => onChange({ ...draft, ...part })
  return (
    <>
      {isNew && <NameFields draft={draft} errors={errors} set={set} />}
      <TextField
        label={text('queues.form.namespaces')}
        placeholder={text('queues.form.namespacesHint')}
        value={draft.namespaces}
        error={shown(text, errors.namespaces)}
        onChange={(event) => set({ namespaces: event.target.value })}
      />
      {taken.length > 0 && <Warning>{text('queues.form.taken', { namespaces: taken })}</Warning>}
      <Choice
        label={text('queues.form.strategy')}
        value={draft.strategy}
        options={STRATEGIES.map((value) => ({ value, label: text(`queues.form.strategies.${value}`) }))}
        onChange={(strategy) => set({ strategy })}
      />
      <ShareFields draft={draft} errors={errors} set={set} />
      <QuotaFields draft={draft} errors={errors} set={set} />
      <ClassFields draft={draft} errors={errors} set={set} />
      <Choice
        label={text('queues.form.onDelete')}
        value={draft.onDelete}
        options={ON_DELETE.map((value) => ({ value, label: text(`queues.form.onDeletes.${value}`) }))}
        onChange={(onDelete) => set({ onDelete })}
      />
    </>
  )
}

interface PartProps extends Pick<QueueFieldsProps, 'draft' | 'errors'> {
  set: (part: Partial<QueueDraft>) => void
}

/** Only a new queue chooses its namespace and name. */
function NameFields({ draft, errors, set }: PartProps) {
  const text = useText()
  const touched = (field: 'namespace' | 'name') =>
    draft[field] === NEW_QUEUE[field] ? undefined : shown(text, errors[field])
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <TextField
        label={text('queues.form.namespace')}
        hint={text('queues.form.namespaceHint')}
        value={draft.namespace}
        error={touched('namespace')}
        onChange={(event) => set({ namespace: event.target.value })}
      />
      <TextField
        label={text('queues.form.name')}
        value={draft.name}
        error={touched('name')}
        onChange={(event) => set({ name: event.target.value })}
      />
    </div>
  )
}

function ShareFields({ draft, errors, set }: PartProps) {
  const text = useText()
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <TextField
        label={text('queues.form.weight')}
        hint={text('queues.form.weightHint')}
        inputMode="numeric"
        value={draft.weight}
        error={shown(text, errors.weight)}
        onChange={(event) => set({ weight: event.target.value })}
      />
      <TextField
        label={text('queues.form.maxInFlight')}
        hint={text('queues.form.maxInFlightHint')}
        inputMode="numeric"
        value={draft.maxInFlight}
        error={shown(text, errors.maxInFlight)}
        onChange={(event) => set({ maxInFlight: event.target.value })}
      />
    </div>
  )
}

/** The rows of amounts by resource. */
const amountRows = (text: Text) => ({
  add: text('queues.form.addAmount'),
  remove: (row: number) => text('queues.form.removeAmount', { row }),
  names: { label: text('queues.form.resource'), hint: 'cpu' },
  values: { label: text('queues.form.amount'), hint: '4' },
})

/** The text of an error, once the field was touched. */
const shown = (text: Text, error: DraftErrors[keyof DraftErrors], untouched = false): string | undefined =>
  error === undefined || untouched ? undefined : text.of(error)

function QuotaFields({ draft, errors, set }: PartProps) {
  const text = useText()
  return (
    <>
      <Choice
        label={text('queues.form.quota')}
        value={draft.quota}
        options={QUOTAS.map((value) => ({ value, label: text(`queues.form.quotas.${value}`) }))}
        onChange={(quota) => set({ quota })}
      />
      {draft.quota === 'own' && (
        <PairRows
          label={text('queues.form.quotaAmounts')}
          {...amountRows(text)}
          rows={draft.hard}
          error={shown(text, errors.hard, draft.hard === NEW_QUEUE.hard)}
          onChange={(hard) => set({ hard })}
        />
      )}
      {draft.quota === 'federated' && (
        <TextField
          label={text('queues.form.quotas.federated')}
          value={draft.federatedResourceQuota}
          error={shown(text, errors.federatedResourceQuota, draft.federatedResourceQuota === '')}
          onChange={(event) => set({ federatedResourceQuota: event.target.value })}
        />
      )}
      {draft.quota !== 'none' && (
        <Choice
          label={text('queues.form.borrowing')}
          value={draft.borrowing}
          options={BORROWING.map((value) => ({ value, label: text(`queues.form.borrowings.${value}`) }))}
          onChange={(borrowing) => set({ borrowing })}
        />
      )}
      {draft.quota !== 'none' && draft.borrowing === 'limited' && (
        <PairRows
          label={text('queues.form.borrowingAmounts')}
          {...amountRows(text)}
          rows={draft.borrowingLimit}
          error={shown(text, errors.borrowingLimit, draft.borrowingLimit === NEW_QUEUE.borrowingLimit)}
          onChange={(borrowingLimit) => set({ borrowingLimit })}
        />
      )}
    </>
  )
}

function ClassFields({ draft, errors, set }: PartProps) {
  const text = useText()
  const id = useId()
  const names = draft.classes.map(({ name }) => name.trim()).filter((name) => name !== '')
  const options = [
    { value: '', label: text('queues.form.noDefaultClass') },
    ...[...new Set(names)].map((name) => ({ value: name, label: name })),
  ]
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="text-section">
        {text('queues.form.classes')}
      </h3>
      <PairRows
        label={text('queues.form.classesHint')}
        add={text('queues.form.addClass')}
        remove={(row) => text('queues.form.removeClass', { row })}
        names={{ label: text('queues.form.class'), hint: 'urgent' }}
        values={{ label: text('queues.form.value'), hint: '1000' }}
        rows={draft.classes}
        error={shown(text, errors.classes)}
        onChange={(classes) => set({ classes })}
      />
      {names.length > 0 && (
        <Choice
          label={text('queues.form.defaultClass')}
          value={draft.defaultClass}
          options={options}
          onChange={(defaultClass) => set({ defaultClass })}
        />
      )}
      {errors.defaultClass !== undefined && <Warning>{text.of(errors.defaultClass)}</Warning>}
    </section>
  )
}
