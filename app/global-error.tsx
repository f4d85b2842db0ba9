'use client'
import { ErrorPage } from '@/components/shell/error-page'
import './globals.css'

/** The last resort: even the frame of the page could not be drawn. */
export default function GlobalError({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <ErrorPage error={error} onRetry={reset} />
      </body>
    </html>
  )
}
