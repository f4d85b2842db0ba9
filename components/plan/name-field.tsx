import { nameProblem } from '@/lib/view/object-name'
import { useText } from '../messages/use-text'
import { TextField } from '../ui/field'

interface NameFieldProps {
  value: string
  onChange: (name: string) => void
}

/** What generated names look like. */
const GENERATED = 'rebalance-…'

/** The name of the object that is created; empty: one is made up. */
export function NameField({ value, onChange }: NameFieldProps) {
  const text = useText()
  const problem = value === '' ? undefined : nameProblem(value)
  return (
    <TextField
      label={text('plan.form.name')}
      placeholder={GENERATED}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={problem && text.of(problem)}
      className="max-w-72"
      data-testid="plan-name"
    />
  )
}
