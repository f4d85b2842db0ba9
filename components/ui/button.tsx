import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border-ink bg-ink text-paper hover:opacity-90',
  secondary: 'border-line-strong bg-paper hover:bg-raised',
  quiet: 'border-transparent hover:bg-sunken',
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  /** Fits a row of a table without making it higher. */
  small?: boolean
}

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', small = false): string {
  return clsx(
    'inline-flex items-center justify-center gap-1.5 rounded-control border text-body font-medium whitespace-nowrap',
    'disabled:opacity-50',
    small ? 'h-6 px-2' : 'h-7 px-3',
    VARIANTS[variant],
  )
}

export function Button({ variant = 'secondary', small = false, className, type = 'button', ...props }: ButtonProps) {
  // oxlint-disable-next-line react/button-has-type -- always one of the three, "button" unless told
  return <button type={type} className={clsx(buttonClass(variant, small), className)} {...props} />
}

/** A square button with only a glyph: the label is what it is called. */
export function IconButton({ label, className, ...props }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={clsx(
        'inline-flex size-7 shrink-0 items-center justify-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink',
        className,
      )}
      {...props}
    />
  )
}
