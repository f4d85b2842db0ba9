'use client'
import { X } from 'lucide-react'
import { useState } from 'react'
import {
  ASSERTION_FIELDS,
  type AssertionKind,
  type FieldShape,
  type Part,
  type Row,
  STEP_FIELDS,
  type Verb,
  withKind,
  withRow,
  withValue,
} from '@/lib/view/rehearsal/draft'
import { useText } from '../messages/use-text'
import { Button, IconButton } from '../ui/button'
import { Choice } from '../ui/choice'
import { TextField } from '../ui/field'

interface RowsProps {
  part: Part
  rows: readonly Row[]
  yaml: string
  clusters: readonly string[]
  onText: (text: string) => void
}

const VERBS = Object.keys(STEP_FIELDS) as Verb[]
const KINDS = Object.keys(ASSERTION_FIELDS) as AssertionKind[]

/** The steps, or the assertions, as rows of fields. */
export function Rows({ part, rows, yaml, clusters, onText }: RowsProps) {
  const text = useText()
  const isSteps = part === 'steps'
  return (
    <section aria-label={text(`rehearsals.new.${part}`)} className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">{text(`rehearsals.new.${part}`)}</h3>
      {rows.map((row, index) => (
        <RowFields
          // oxlint-disable-next-line react/no-array-index-key -- a row is its place in the text
          key={index}
          {...{ part, row, index, yaml, clusters, onText }}
        />
      ))}
      <div>
        <Button small onClick={() => onText(withRow(yaml, part, clusters))}>
          {text(isSteps ? 'rehearsals.new.addStep' : 'rehearsals.new.addAssertion')}
        </Button>
      </div>
    </section>
  )
}

interface RowFieldsProps extends Omit<RowsProps, 'rows'> {
  row: Row
  index: number
}

function RowFields({ part, row, index, yaml, clusters, onText }: RowFieldsProps) {
  const text = useText()
  const { kind, given, at } = row
  const n = index + 1
  const isStep = part === 'steps'
  const shapes = fieldsOf(part, kind)
  const path = ['spec', part, index]
  const set = (field: string, value: unknown): void => {
    const { [field]: _, ...others } = given
    onText(withValue(yaml, [...path, kind], value === undefined ? others : { ...given, [field]: value }))
  }
  return (
    <fieldset
      className="flex min-w-0 flex-wrap items-end gap-x-3 gap-y-2 rounded-panel border border-line p-2"
      data-testid={isStep ? 'step-row' : 'assertion-row'}
      data-kind={kind}
    >
      <legend className="px-1 text-label text-ink-2">
        {text(isStep ? 'rehearsals.new.step' : 'rehearsals.new.assertion', { n })}
      </legend>
      {isStep && (
        <TextField
          label={text('rehearsals.new.at')}
          value={at}
          disabled={kind === ''}
          className="w-20"
          onChange={({ target }) => onText(withValue(yaml, [...path, 'at'], target.value))}
        />
      )}
      <KindChoice part={part} kind={kind} onChange={(next) => onText(withKind(yaml, { part, index }, next))} />
      {Object.entries(shapes).map(([field, shape]) => (
        <GivenField
          key={field}
          {...{ part, field, shape, clusters }}
          value={given[field]}
          onSet={(next) => set(field, next)}
        />
      ))}
      {kind !== '' && isStep && Object.keys(shapes).length === 0 && (
        <p className="self-center text-ink-2">{text('rehearsals.new.inYaml')}</p>
      )}
      <IconButton
        label={text(isStep ? 'rehearsals.new.removeStep' : 'rehearsals.new.removeAssertion', { n })}
        className="ml-auto"
        onClick={() => onText(withValue(yaml, path, undefined))}
      >
        <X size={14} aria-hidden="true" />
      </IconButton>
    </fieldset>
  )
}

function fieldsOf(part: Part, kind: string): Readonly<Record<string, FieldShape>> {
  if (kind === '') return {}
  return part === 'steps' ? STEP_FIELDS[kind as Verb] : ASSERTION_FIELDS[kind as AssertionKind]
}

interface KindChoiceProps {
  part: Part
  kind: string
  onChange: (kind: Verb | AssertionKind) => void
}

function KindChoice({ part, kind, onChange }: KindChoiceProps) {
  const text = useText()
  const known =
    part === 'steps'
      ? VERBS.map((value) => ({ value, label: text(`rehearsals.verb.${value}`) }))
      : KINDS.map((value) => ({ value, label: text(`rehearsals.kind.${value}`) }))
  const unknown = kind === '' ? [{ value: '', label: text('rehearsals.new.unknown') }] : []
  return (
    <Choice<string>
      label={text(part === 'steps' ? 'rehearsals.new.verb' : 'rehearsals.new.kind')}
      value={kind}
      options={[...unknown, ...known]}
      onChange={(next) => next !== '' && onChange(next as Verb | AssertionKind)}
    />
  )
}

interface GivenFieldProps {
  part: Part
  field: string
  shape: FieldShape
  clusters: readonly string[]
  value: unknown
  onSet: (value: unknown) => void
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function GivenField({ part, field, shape, clusters, value, onSet }: GivenFieldProps) {
  const text = useText()
  const label = text(`rehearsals.field.${field as 'clusters'}`)
  if (shape === 'clusters')
    return <ClusterField label={label} value={isTexts(value) ? value : []} clusters={clusters} onSet={onSet} />
  if (typeof shape !== 'string') {
    return (
      <Choice<string>
        label={label}
        value={typeof value === 'string' ? value : ''}
        options={['', ...shape].map((each) => ({ value: each, label: each || text('rehearsals.new.unset') }))}
        onChange={(next) => onSet(next || undefined)}
      />
    )
  }
  if (shape === 'list') {
    const empty = part === 'assertions' ? text('rehearsals.new.all') : ''
    return <ListField label={label} empty={empty} value={isTexts(value) ? value : []} onSet={onSet} />
  }
  return (
    <TextField
      label={label}
      className="w-28"
      inputMode={shape === 'number' ? 'numeric' : 'text'}
      value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
      onChange={({ target }) => onSet(typed(shape, target.value))}
    />
  )
}

/** Keeps invalid numbers as text: the error is shown at the line. */
function typed(shape: FieldShape, value: string): string | number | undefined {
  if (value === '') return undefined
  return shape === 'number' && /^\d+$/.test(value) ? Number(value) : value
}

/** Keeps what is typed while it has the focus, or a comma would vanish. */
interface ListFieldProps extends Pick<GivenFieldProps, 'onSet'> {
  label: string
  /** Shown while nothing is named. */
  empty: string
  value: readonly string[]
}

function ListField({ label, empty, value, onSet }: ListFieldProps) {
  const text = useText()
  const [raw, setRaw] = useState<string>()
  return (
    <TextField
      label={label}
      title={text('rehearsals.new.listHint')}
      className="w-40"
      placeholder={empty}
      value={raw ?? value.join(', ')}
      onBlur={() => setRaw(undefined)}
      onChange={({ target }) => {
        setRaw(target.value)
        const names = target.value.split(',').map((name) => name.trim())
        const some = names.filter((name) => name !== '')
        onSet(some.length > 0 ? some : undefined)
      }}
    />
  )
}

interface ClusterFieldProps {
  label: string
  value: readonly string[]
  clusters: readonly string[]
  onSet: (value: unknown) => void
}

function ClusterField({ label, value, clusters, onSet }: ClusterFieldProps) {
  const text = useText()
  const set = (names: readonly string[]): void => onSet(names.length > 0 ? [...names] : undefined)
  return (
    <fieldset aria-label={label} className="flex max-w-full min-w-0 flex-wrap items-end gap-2">
      {value.map((name) => (
        <Button
          key={name}
          className="max-w-48"
          aria-label={text('rehearsals.new.removeCluster', { cluster: name })}
          onClick={() => set(value.filter((other) => other !== name))}
        >
          <span className="truncate">{name}</span>
          <X size={14} aria-hidden="true" />
        </Button>
      ))}
      <Choice<string>
        label={text('rehearsals.new.addCluster')}
        value=""
        options={[
          { value: '', label: text('rehearsals.new.addClusterChoose') },
          ...clusters.filter((name) => !value.includes(name)).map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => name !== '' && set([...value, name])}
      />
    </fieldset>
  )
}
