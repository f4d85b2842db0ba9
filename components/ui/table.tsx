import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface TableProps extends ComponentProps<'table'> {
  /** The last column holds actions or outcomes: it stays at the right while the others scroll. */
  pinLast?: boolean
}

/** A ledger table: hairlines, no boxes, 28 px rows. The first column, which names the row, stays in sight. */
export function Table({ className, pinLast = false, ...props }: TableProps) {
  return <table className={clsx('w-full border-collapse', 'pin-first', pinLast && 'pin-last', className)} {...props} />
}

/** The head of a list that scrolls with its page: it stays at the top, its line with it. */
export function ListHead({ children }: { children: ReactNode }) {
  return (
    <thead className="sticky top-0 z-10 bg-paper shadow-[0_1px_0_var(--line)]">
      <tr className="bg-paper">{children}</tr>
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
  /** Sorts the list by this column. */
  sort?: { direction: 'ascending' | 'descending' | undefined; toggle: () => void }
}

export function Th({
  className,
  figure = false,
  names = 'column',
  scope = 'col',
  sort,
  children,
  ...props
}: HeadProps) {
  return (
    <th
      scope={scope}
      {...(sort && { 'aria-sort': sort.direction ?? 'none' })}
      className={clsx(
        'h-7 border-b border-line px-3',
        names === 'column' ? 'text-label whitespace-nowrap text-ink-2' : 'text-body font-medium',
        figure ? 'text-right' : 'text-left',
        className,
      )}
      {...props}
    >
      {sort ? <SortButton {...sort}>{children}</SortButton> : children}
    </th>
  )
}

interface SortButtonProps extends NonNullable<HeadProps['sort']> {
  /** -1 in a grid, which has one stop. */
  tabIndex?: number
  children: ReactNode
}

/** The words of a head that sorts, with the direction beside them. */
export function SortButton({ direction, toggle, tabIndex, children }: SortButtonProps) {
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      onClick={toggle}
      className="inline-flex h-6 items-center gap-0.5 font-[inherit] text-inherit -outline-offset-2 hover:underline"
    >
      {children}
      {direction && <Arrow size={12} aria-hidden="true" />}
    </button>
  )
}

/** Sorts by a column whose words lead somewhere else. Out of the tab order: for grids, which have one stop. */
export function SortToggle({
  sort: { direction, toggle },
  label,
}: {
  sort: NonNullable<HeadProps['sort']>
  label: string
}) {
  const Arrow = direction === undefined ? ArrowUpDown : direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={toggle}
      className="flex h-6 w-4 shrink-0 items-center justify-center text-ink-2 -outline-offset-2 hover:text-ink"
    >
      <Arrow size={12} aria-hidden="true" />
    </button>
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
