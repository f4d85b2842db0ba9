'use client'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

/** A page that could not be drawn: what is known, and a way on. The fleet itself is not affected. */
export function ErrorPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <main id="content">
      <title>Error · Evenkeel</title>
      <EmptyState level={1} title="This page could not be drawn">
        <p>The fault is in the console, not in your clusters. Nothing was changed.</p>
        <p className="mono">{error.message}</p>
        <p>
          <Button onClick={onRetry}>Draw it again</Button>
        </p>
      </EmptyState>
    </main>
  )
}
