'use client'
import { ErrorPage } from '@/components/shell/error-page'
import { chosenLocale } from '@/components/messages/chosen-locale'
import './globals.css'

/** The last resort: even the frame of the page failed to render. */
export default function GlobalError({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <html lang={chosenLocale()}>
      <body>
        <ErrorPage error={error} onRetry={reset} />
      </body>
    </html>
  )
}
