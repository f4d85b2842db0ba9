import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** A ledger table: hairlines, no boxes, 28 px rows. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return <table className={clsx('w-full border-collapse', className)} {...props} />
}

interface CellProps extends ComponentProps<'td'> {
  /** Figures stand at the right, in columns. */
  figure?: boolean
}

export function Th({ className, figure = false, scope = 'col', ...props }: ComponentProps<'th'> & { figure?: boolean }) {
  return (
    <th
      scope={scope}
      className={clsx('h-7 border-b border-line px-3 text-label whitespace-nowrap text-ink-2', figure ? 'text-right' : 'text-left', className)}
      {...props}
    />
  )
}

export function Td({ className, figure = false, ...props }: CellProps) {
  return <td className={clsx('h-7 border-b border-line px-3 py-0.5', figure && 'text-right whitespace-nowrap', className)} {...props} />
}
