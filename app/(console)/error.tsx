'use client'
import { ErrorPage } from '@/components/shell/error-page'

export default function ConsoleError({ error, reset }: { error: Error; reset: () => void }) {
  return <ErrorPage error={error} onRetry={reset} />
}
