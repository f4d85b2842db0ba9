import { type ReactNode, Suspense } from 'react'
import { PageTexts } from '@/components/messages/area-texts'
import { InBrowser } from '@/components/shell/in-browser'
import { Shell } from '@/components/shell/shell'
import { WaitingPage } from '@/components/shell/waiting-page'

/** Pages are drawn in the browser, where the data and the address are, and wait there behind a skeleton. */
export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Shell>
      <InBrowser fallback={<WaitingPage />}>
        <Suspense fallback={<WaitingPage />}>
          <PageTexts>{children}</PageTexts>
        </Suspense>
      </InBrowser>
    </Shell>
  )
}
