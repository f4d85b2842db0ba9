import type { ReactNode } from 'react'

/** What stands where a list would be: a sentence that says why it is empty, and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-[40rem] flex-col gap-3 px-6 py-12" data-testid="empty-state">
      <h2 className="text-section">{title}</h2>
      {children}
    </div>
  )
}
