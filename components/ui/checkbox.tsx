import { clsx } from 'clsx'
import type { ComponentProps, MouseEvent } from 'react'

interface CheckboxProps extends ComponentProps<'button'> {
  /** On, off and "some of them". */
  checked: boolean | 'indeterminate'
  onCheckedChange?: (checked: boolean) => void
}

/** Three states: on, off and "some of them". The pointer target is 24 × 24 px around a 14 px box. */
export function Checkbox({ className, checked, onCheckedChange, onClick, ...props }: CheckboxProps) {
  const toggle = (event: MouseEvent<HTMLButtonElement>) => {
    onClick?.(event)
    onCheckedChange?.(checked !== true)
  }
  return (
    <button
      type="button"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input has its third state only by script
      role="checkbox"
      aria-checked={checked === 'indeterminate' ? 'mixed' : checked}
      data-state={checked === 'indeterminate' ? checked : checked ? 'checked' : 'unchecked'}
      className={clsx('group inline-flex size-6 shrink-0 items-center justify-center', className)}
      onClick={toggle}
      // Enter belongs to the form or grid around it, as with the checkboxes of browsers.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      {...props}
    >
      <span
        aria-hidden="true"
        className="flex size-3.5 items-center justify-center rounded-[3px] border border-line-strong bg-paper group-data-[state=checked]:border-ink group-data-[state=checked]:bg-ink group-data-[state=indeterminate]:border-ink group-data-[state=indeterminate]:bg-ink"
      >
        <svg viewBox="0 0 12 12" width="12" height="12" fill="none" strokeWidth="2" className="stroke-paper">
          <path d="m2.5 6.2 2.4 2.4 4.6-5" className="hidden group-data-[state=checked]:block" />
          <path d="M2.5 6h7" className="hidden group-data-[state=indeterminate]:block" />
        </svg>
      </span>
    </button>
  )
}

/** A checkbox with its words, both the pointer target. */
export function LabelledCheckbox({ label, ...props }: CheckboxProps & { label: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the button inside is the control
    <label className="inline-flex h-7 cursor-pointer items-center gap-1 rounded-control pr-2 hover:bg-sunken">
      <Checkbox {...props} />
      <span>{label}</span>
    </label>
  )
}
