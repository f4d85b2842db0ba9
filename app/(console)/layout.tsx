import { type ReactNode, Suspense } from 'react'
import { Shell } from '@/components/shell/shell'
import { SkeletonRows } from '@/components/ui/skeleton'

/** Pages read the address in the browser, so they wait there behind a skeleton. */
export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Shell>
      <Suspense fallback={<Waiting />}>{children}</Suspense>
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
