'use client'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../ui/button'
import { StateGlyph } from '../status/state-glyph'
import type { Pair } from './queue-form'

interface PairRowsProps {
  /** The list, its button for a new row, and what its button removes. */
  label: string
  add: string
  remove: (row: number) => string
  names: { label: string; hint: string }
  values: { label: string; hint: string }
  rows: readonly Pair[]
  error?: string | undefined
  onChange: (rows: Pair[]) => void
}

const LOOKS = 'h-7 min-w-0 rounded-control border border-line-strong bg-paper px-2 placeholder:text-ink-2'

interface BoxProps {
  label: string
  hint: string
  value: string
  className: string
  onChange: (value: string) => void
}

function Box({ label, hint, value, className, onChange }: BoxProps) {
  return (
    <input
      className={`${LOOKS} ${className}`}
      aria-label={label}
      placeholder={hint}
      value={value}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** Names with their values, as many as one likes. */
export function PairRows({ label, add, remove, names, values, rows, error, onChange }: PairRowsProps) {
  const change = (index: number, part: Partial<Pair>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-0.5 text-label text-ink-2">{label}</legend>
      {rows.map((row, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row is its place: names may be empty or repeated while one types
        <div key={index} className="flex gap-2">
          <Box
            className="grow"
            label={`${names.label} ${index + 1}`}
            hint={names.hint}
            value={row.name}
            onChange={(name) => change(index, { name })}
          />
          <Box
            className="w-32"
            label={`${values.label} ${index + 1}`}
            hint={values.hint}
            value={row.value}
            onChange={(value) => change(index, { value })}
          />
          <IconButton label={remove(index + 1)} onClick={() => onChange(rows.filter((_, at) => at !== index))}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <Button variant="quiet" className="w-fit" onClick={() => onChange([...rows, { name: '', value: '' }])}>
        <Plus size={14} aria-hidden="true" />
        {add}
      </Button>
      {error !== undefined && (
        <p role="alert" className="flex items-center gap-2">
          <StateGlyph state="fail" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
