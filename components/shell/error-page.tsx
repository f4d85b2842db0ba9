'use client'
import { useEffect } from 'react'
import { replaceOutdatedPage } from '../hooks/page-build'
import { errorText } from '../messages/error-text'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

/** A page that failed to render. Its texts come with it: a catalogue that could not be fetched may be what failed. */
export function ErrorPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const text = errorText()
  // It may have needed code that the server no longer has.
  useEffect(replaceOutdatedPage, [])
  return (
    <main id="content">
      <title>{text('errors.documentTitle')}</title>
      <EmptyState level={1} title={text('errors.title')}>
        <p>{text('errors.body')}</p>
        <p className="mono">{error.message}</p>
        <p>
          <Button onClick={onRetry}>{text('errors.retry')}</Button>
        </p>
      </EmptyState>
    </main>
  )
}
