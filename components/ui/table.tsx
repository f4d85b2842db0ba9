import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

/** A ledger table: hairlines, no boxes, 28 px rows. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return <table className={clsx('w-full border-collapse', className)} {...props} />
}

/** The head of a list that scrolls with its page: it stays at the top, its line with it. */
export function ListHead({ children }: { children: ReactNode }) {
  return (
    <thead className="sticky top-0 z-10 bg-paper shadow-[0_1px_0_var(--line)]">
      <tr>{children}</tr>
    </thead>
  )
}

interface CellProps extends ComponentProps<'td'> {
  /** Figures stand at the right, in columns. */
  figure?: boolean
}

interface HeadProps extends ComponentProps<'th'> {
  figure?: boolean
  /** The name of a row is read like its cells, not like a caption. */
  names?: 'column' | 'row'
}

export function Th({ className, figure = false, names = 'column', scope = 'col', ...props }: HeadProps) {
  return (
    <th
      scope={scope}
      className={clsx(
        'h-7 border-b border-line px-3',
        names === 'column' ? 'text-label whitespace-nowrap text-ink-2' : 'text-body font-medium',
        figure ? 'text-right' : 'text-left',
        className,
      )}
      {...props}
    />
  )
}

export function Td({ className, figure = false, ...props }: CellProps) {
  return (
    <td
      className={clsx('h-7 border-b border-line px-3 py-0.5', figure && 'text-right whitespace-nowrap', className)}
      {...props}
    />
  )
}
