import { nameProblem } from '@/lib/view/object-name'
import { TextField } from '../ui/field'

interface NameFieldProps {
  value: string
  onChange: (name: string) => void
}

/** The name of the object that is created; empty: one is made up. */
export function NameField({ value, onChange }: NameFieldProps) {
  const problem = value === '' ? undefined : nameProblem(value)
  return (
    <TextField
      label="Name (optional)"
      placeholder="rebalance-…"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={problem && `The name ${problem}.`}
      className="max-w-72"
      data-testid="plan-name"
    />
  )
}
