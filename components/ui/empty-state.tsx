import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  /** 1 where it is all there is of the page. */
  level?: 1 | 2
  children?: ReactNode
}

/** Content in place of an empty list: the reason, and the next step. */
export function EmptyState({ title, level = 2, children }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className="mx-auto flex w-full max-w-[40rem] flex-col gap-3 px-6 py-12" data-testid="empty-state">
      <Heading className="text-section">{title}</Heading>
      {children}
    </div>
  )
}
