import { clsx } from 'clsx'
import { useId } from 'react'

interface ChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  /** The options arrive later: it has a width of its own, so that nothing beside it moves then. */
  hasLateOptions?: boolean
}

/** One of a few, with its label above. */
export function Choice<T extends string>({ label, value, options, onChange, hasLateOptions = false }: ChoiceProps<T>) {
  const id = useId()
  return (
    <div className="flex max-w-full min-w-0 flex-col gap-0.5">
      <label htmlFor={id} className="text-label text-ink-2">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
        className={clsx(
          'h-7 max-w-full rounded-control border border-line-strong bg-paper px-2',
          hasLateOptions && 'w-48',
        )}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
