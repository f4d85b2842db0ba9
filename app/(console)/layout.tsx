import { type ReactNode, Suspense } from 'react'
import { InBrowser } from '@/components/shell/in-browser'
import { Shell } from '@/components/shell/shell'
import { SkeletonRows } from '@/components/ui/skeleton'

/** Pages are drawn in the browser, where the data and the address are, and wait there behind a skeleton. */
export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Shell>
      <InBrowser fallback={<Waiting />}>
        <Suspense fallback={<Waiting />}>{children}</Suspense>
      </InBrowser>
    </Shell>
  )
}

function Waiting() {
  return (
    <>
      <title>Evenkeel</title>
      <SkeletonRows label="Loading the page" />
    </>
  )
}
