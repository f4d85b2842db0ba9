'use client'
import { useText } from '../messages/use-text'
import { SkeletonRows } from '../ui/skeleton'

/** What stands in place of a page until it is drawn in the browser. */
export function WaitingPage() {
  const text = useText()
  return (
    <>
      <title>Evenkeel</title>
      <SkeletonRows label={text('common.loadingPage')} />
    </>
  )
}
