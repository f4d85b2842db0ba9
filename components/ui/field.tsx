import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { StateGlyph } from '../status/state-glyph'

interface FieldProps {
  label: string
  /** What it is for, under the label. */
  hint?: ReactNode
  /** Why what is in it cannot be taken. */
  error?: string | undefined
}

const BOX = 'rounded-control border bg-paper px-2 placeholder:text-ink-2'

/** A line of text with its label above, or `beside` it, and what is wrong with it below. */
export function TextField({
  label,
  hint,
  error,
  className,
  beside = false,
  ...props
}: FieldProps & ComponentProps<'input'> & { beside?: boolean }) {
  const ids = useFieldIds(hint, error)
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error} className={className} beside={beside}>
      <input
        {...ids.control}
        type="text"
        autoComplete="off"
        spellCheck={false}
        className={clsx(BOX, 'h-7', error ? 'border-fail' : 'border-line-strong')}
        {...props}
      />
    </FieldFrame>
  )
}

/** Some lines of text. */
export function TextArea({ label, hint, error, className, ...props }: FieldProps & ComponentProps<'textarea'>) {
  const ids = useFieldIds(hint, error)
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error} className={className}>
      <textarea
        {...ids.control}
        rows={2}
        className={clsx(BOX, 'py-1', error ? 'border-fail' : 'border-line-strong')}
        {...props}
      />
    </FieldFrame>
  )
}

function useFieldIds(hint: ReactNode, error: string | undefined) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    control: {
      id,
      'aria-describedby': described === '' ? undefined : described,
      'aria-invalid': error === undefined ? undefined : true,
    },
  }
}

interface FieldFrameProps extends FieldProps {
  ids: ReturnType<typeof useFieldIds>
  className: string | undefined
  beside?: boolean
  children: ReactNode
}

function FieldFrame({ ids: { id }, label, hint, error, className, beside = false, children }: FieldFrameProps) {
  return (
    <div className={clsx('flex', beside ? 'items-center gap-2' : 'flex-col gap-0.5', className)}>
      <label htmlFor={id} className="text-label text-ink-2">
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-ink-2">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="flex items-center gap-2">
          <StateGlyph state="fail" />
          {error}
        </p>
      )}
    </div>
  )
}
