import { clsx } from 'clsx'

interface SwitchProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

/** One of two or three views of the same data. */
export function Switch<T extends string>({ label, value, options, onChange }: SwitchProps<T>) {
  return (
    <fieldset aria-label={label} className="flex rounded-control border border-line-strong">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={clsx('h-7 px-3', option.value === value ? 'bg-sunken font-medium' : 'text-ink-2 hover:bg-hover')}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
