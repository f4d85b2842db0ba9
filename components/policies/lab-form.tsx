'use client'
import { type ReactNode, useId, useState } from 'react'
import { Choice } from '../ui/choice'
import {
  type ClusterAffinity,
  type Division,
  DIVISIONS,
  divisionOf,
  editDivision,
  editLabels,
  editNames,
  editSpread,
  editTolerations,
  type FieldEdit,
  labelsText,
  type Placement,
  SPREAD_FIELDS,
  type SpreadField,
  spreadOf,
  tolerationText,
  weightsOf,
} from '@/lib/view/lab/form'
import { useText } from '../messages/use-text'
import { TextArea, TextField } from '../ui/field'
import type { Draft } from './use-lab'

/** The placement as fields. Each edit is one field of the document, which the YAML beside shows. */
export function LabForm({ draft }: { draft: Draft }) {
  const text = useText()
  const { placement } = draft.good
  const isInvalid = draft.problem !== undefined
  return (
    <fieldset disabled={isInvalid} className="flex min-w-0 flex-col gap-3" data-testid="lab-form">
      <legend className="mb-1 text-section">{text('policies.form.title')}</legend>
      {isInvalid && <p className="text-ink-2">{text('policies.form.invalid')}</p>}
      {placement.clusterAffinities ? (
        <p className="text-ink-2">
          {text('policies.form.groups', {
            groups: placement.clusterAffinities.map(({ affinityName }) => affinityName),
          })}
        </p>
      ) : (
        <AffinityFields affinity={placement.clusterAffinity} onEdit={draft.edit} />
      )}
      <TypedField
        label={text('policies.form.tolerations')}
        hint={text('policies.form.tolerationsHint')}
        value={(placement.clusterTolerations ?? []).map(tolerationText).join('\n')}
        read={editTolerations}
        error={text('policies.form.tolerationsInvalid')}
        onEdit={draft.edit}
        lines
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="text-label text-ink-2">{text('policies.form.spread')}</legend>
        {SPREAD_FIELDS.map((field) => (
          <SpreadRow key={field} field={field} placement={placement} onEdit={draft.edit} />
        ))}
      </fieldset>
      <DivisionFields placement={placement} onEdit={draft.edit} />
    </fieldset>
  )
}

type OnEdit = (edit: FieldEdit) => void

function AffinityFields({ affinity, onEdit }: { affinity: ClusterAffinity | undefined; onEdit: OnEdit }) {
  const text = useText()
  return (
    <>
      <TypedField
        label={text('policies.form.labels')}
        value={labelsText(affinity)}
        read={editLabels}
        error={text('policies.form.labelsInvalid')}
        onEdit={onEdit}
        placeholder={text('policies.form.labelsExample')}
      />
      <TypedField
        label={text('policies.form.names')}
        value={(affinity?.clusterNames ?? []).join(', ')}
        read={(typed) => editNames('clusterNames', typed)}
        onEdit={onEdit}
        placeholder={text('policies.form.anyCluster')}
      />
      <TypedField
        label={text('policies.form.exclude')}
        value={(affinity?.exclude ?? []).join(', ')}
        read={(typed) => editNames('exclude', typed)}
        onEdit={onEdit}
      />
    </>
  )
}

interface TypedFieldProps {
  label: string
  hint?: ReactNode
  /** As the document has it. */
  value: string
  /** The edit that is typed; undefined while it is none. */
  read: (typed: string) => FieldEdit | undefined
  error?: string
  onEdit: OnEdit
  placeholder?: string
  lines?: boolean
  /** Values to choose from; others may be typed. */
  suggestions?: readonly string[]
}

/** Input that keeps the typed text while it has the focus, and otherwise shows the value of the document. */
export function TypedField({ value, read, error, onEdit, lines = false, suggestions, ...field }: TypedFieldProps) {
  const list = useId()
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? value
  const isWrong = typed !== undefined && read(typed) === undefined
  const Field = lines ? TextArea : TextField
  return (
    <>
      <Field
        {...field}
        {...(suggestions && { list })}
        value={shown}
        error={isWrong ? error : undefined}
        onChange={({ target }: { target: { value: string } }) => {
          setTyped(target.value)
          const edit = read(target.value)
          if (edit) onEdit(edit)
        }}
        onBlur={() => !isWrong && setTyped(undefined)}
      />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}

function SpreadRow({ field, placement, onEdit }: { field: SpreadField; placement: Placement; onEdit: OnEdit }) {
  const text = useText()
  const { minGroups, maxGroups } = spreadOf(placement, field) ?? {}
  const edit = (change: { min?: number | undefined; max?: number | undefined }) =>
    onEdit(editSpread(placement, field, { min: minGroups || undefined, max: maxGroups || undefined, ...change }))
  return (
    <div className="flex items-center gap-2">
      <span className="w-16 shrink-0">{text(`policies.form.spreadField.${field}`)}</span>
      <Bound
        label={text('policies.form.min', { field: text(`policies.form.spreadField.${field}`) })}
        short={text('policies.form.minShort')}
        value={minGroups || undefined}
        onChange={(min) => edit({ min })}
      />
      <Bound
        label={text('policies.form.max', { field: text(`policies.form.spreadField.${field}`) })}
        short={text('policies.form.maxShort')}
        value={maxGroups || undefined}
        onChange={(max) => edit({ max })}
      />
    </div>
  )
}

interface BoundProps {
  label: string
  short: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}

function Bound({ label, short, value, onChange }: BoundProps) {
  const id = useId()
  return (
    <label htmlFor={id} className="flex items-center gap-1">
      <span aria-hidden="true" className="text-ink-2">
        {short}
      </span>
      <span className="sr-only">{label}</span>
      <input
        id={id}
        type="number"
        min={0}
        max={1000}
        value={value ?? ''}
        onChange={({ target }) =>
          onChange(target.value === '' ? undefined : Math.max(0, Number(target.value)) || undefined)
        }
        className="h-7 w-12 rounded-control border border-line-strong bg-paper px-1 text-right"
      />
    </label>
  )
}

function DivisionFields({ placement, onEdit }: { placement: Placement; onEdit: OnEdit }) {
  const text = useText()
  const division = divisionOf(placement)
  const weights = weightsOf(placement)
  return (
    <>
      <Choice
        label={text('policies.form.division')}
        value={division}
        options={DIVISIONS.map((value) => ({ value, label: text(`policies.form.divisions.${value}`) }))}
        onChange={(next: Division) => onEdit(editDivision(next, weights))}
      />
      {division === 'Static' && weights === undefined && (
        <p className="text-ink-2">{text('policies.form.weightsInYaml')}</p>
      )}
      {division === 'Static' && weights !== undefined && (
        <TypedField
          label={text('policies.form.weights')}
          hint={text('policies.form.weightsHint')}
          value={weights.map(({ clusters, weight }) => `${clusters} = ${weight}`).join('\n')}
          read={readWeights}
          error={text('policies.form.weightsInvalid')}
          onEdit={onEdit}
          lines
        />
      )}
    </>
  )
}

/** `member1, member2 = 3`, one rule in each line. */
function readWeights(typed: string): FieldEdit | undefined {
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map((line) => /^(.+?)\s*=\s*(\d+)\s*$/.exec(line))
  if (read.some((found) => found === null)) return undefined
  return editDivision(
    'Static',
    read.map((found) => ({ clusters: found![1]!, weight: Number(found![2]) })),
  )
}
